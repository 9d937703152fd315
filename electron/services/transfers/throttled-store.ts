import type { RateLimiter } from '../../engine/index.ts'
import type { ObjectStore, RequestBody } from '../../stores/port/object-store.ts'

/** The same store, but what is uploaded to `key` passes `limiter`; everything else goes at full speed. */
export function throttleUploads(store: ObjectStore, key: string, limiter: RateLimiter): ObjectStore {
  return {
    ...store,
    putObject: (request) =>
      store.putObject(
        request.key === key ? { ...request, body: throttle(request.body, limiter, request.signal) } : request,
      ),
    uploadPart: (request) =>
      store.uploadPart(
        request.key === key ? { ...request, body: throttle(request.body, limiter, request.signal) } : request,
      ),
  }
}

function throttle(body: RequestBody, limiter: RateLimiter, signal: AbortSignal): RequestBody {
  return {
    sizeBytes: body.sizeBytes,
    async *open() {
      for await (const bytes of body.open()) {
        await limiter.take(bytes.length, signal)
        yield bytes
      }
    },
  }
}
