import type { RateLimiter } from '../../engine/index.ts'
import type { ObjectStore, RequestBody } from '../../stores/port/object-store.ts'

/** The same store, except that uploads to `key` are slowed down by `limiter`. */
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
