import { expect, onTestFinished, test, vi } from 'vitest'
import { classify } from '../../../electron/engine/index.ts'
import type { Credentials } from '../../../electron/stores/port/store-connection.ts'
import { createProfileCredentials } from '../../../electron/stores/s3/profiles/profile-credentials.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { CREDENTIALS, signal } from '../support/open-store.ts'
import { openS3 } from './support/open-s3.ts'

const never = () => new Promise<never>(() => undefined)
const awaited = { code: 'KeysAwaited', httpStatus: null, maybeProcessed: false }
const ASK = { isRefused: false }

function takeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** A profile whose keys come when they are told to: `give` of the first, second … time that they are read. */
function slowProfile() {
  const give: ((keys: Credentials) => void)[] = []
  const read = () =>
    new Promise<Credentials>((resolve) => give.push(resolve)).then((credentials) => ({
      credentials,
      untilMs: Number.POSITIVE_INFINITY,
    }))
  return { source: createProfileCredentials('studio', read), give }
}

test.each([
  ['before a request', []],
  ['after a refusal', [{ status: 400, body: '<Error><Code>ExpiredToken</Code></Error>' }]],
])('stops at once while a profile gives no keys, %s', async (_when, responses) => {
  const { endpoint } = await startScript(responses)
  const controller = new AbortController()
  const credentialSource = ({ isRefused }: { isRefused: boolean }) => {
    if (!isRefused && responses.length > 0) return Promise.resolve(CREDENTIALS)
    controller.abort('pause')
    return never()
  }
  const asked = openS3(endpoint, { credentials: null, credentialSource }).headObject({
    key: 'k',
    signal: controller.signal,
  })
  await expect(asked).rejects.toBe('pause')
})

test('tells what it waits for while a profile gives no keys, and asks again', async () => {
  takeTime()
  const { endpoint } = await startScript([{ status: 204 }])
  const { source, give } = slowProfile()
  const store = openS3(endpoint, { credentials: null, credentialSource: source })
  const failure = await Promise.all([
    store.deleteObject({ key: 'k', signal }).catch((error: unknown) => error),
    vi.advanceTimersByTimeAsync(10_000),
  ]).then(([error]) => error)
  expect(failure).toMatchObject(awaited)
  expect(classify(failure)).toMatchObject({ kind: 'wait', cause: { code: 'keys-awaited' } })
  const again = store.deleteObject({ key: 'k', signal })
  give[0]?.(CREDENTIALS)
  await again
  expect(give).toHaveLength(1)
})

test('reads the keys of a profile anew where a program or sign-in never ends, and takes those that come late', async () => {
  takeTime()
  const { source, give } = slowProfile()
  const first = source(ASK)
  await Promise.all([expect(first).rejects.toMatchObject(awaited), vi.advanceTimersByTimeAsync(120_000)])
  const second = source(ASK)
  expect(give).toHaveLength(2)
  give[0]?.(CREDENTIALS)
  await vi.advanceTimersByTimeAsync(0)
  expect(await source(ASK)).toEqual(CREDENTIALS)
  give[1]?.({ ...CREDENTIALS, accessKeyId: 'fresh' })
  expect(await second).toMatchObject({ accessKeyId: 'fresh' })
})
