import { expect, test } from 'vitest'
import { startScript, type ScriptedResponse, type TakenRequest } from '../support/servers/scripted-server.ts'
import { bodyOf, openStore, signal } from './support/open-store.ts'

const HERE = Date.UTC(2024, 0, 1, 12)
const THERE = HERE + 3_600_000
const date = new Date(THERE).toUTCString()
const SKEWED: ScriptedResponse = { status: 403, headers: { date }, body: '{"Error":{"Code":"RequestTimeTooSkewed"}}' }

/** A service whose clock is an hour ahead of ours and minds it. */
const minding =
  (response: ScriptedResponse) =>
  ({ headers, method }: TakenRequest): ScriptedResponse =>
    headers.date === date ? response : method === 'HEAD' ? { ...SKEWED, body: '' } : SKEWED

const openHere = (endpoint: string) => openStore(endpoint, { now: () => HERE })

test('asks once more with the clock of the service, and goes on with it', async () => {
  const { endpoint, requests } = await startScript([minding({ status: 200, headers: { etag: '"e"' }, body: '{}' })])
  const store = openHere(endpoint)
  await store.putObject({ key: 'k', body: bodyOf(Buffer.from('abc')), signal })
  await store.listObjects({ signal })
  expect(requests.map(({ method, headers, body }) => [method, headers.date, body.toString()])).toEqual([
    ['PUT', new Date(HERE).toUTCString(), 'abc'],
    ['PUT', date, 'abc'],
    ['GET', date, ''],
  ])
})

test('reads the skew from the Date of a response to HEAD', async () => {
  const { endpoint, requests } = await startScript([minding({ status: 200, headers: { 'content-length': 7 } })])
  expect(await openHere(endpoint).headObject({ key: 'k', signal })).toMatchObject({ sizeBytes: 7 })
  expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'HEAD'])
})

test('asks exactly once more of a service that is never content', async () => {
  const { endpoint, requests } = await startScript([SKEWED])
  await expect(openHere(endpoint).listObjects({ signal })).rejects.toMatchObject({
    code: 'RequestTimeTooSkewed',
    httpStatus: 403,
  })
  expect(requests.length).toBe(2)
})

test('asks no more when the service does not tell its time', async () => {
  const { endpoint, requests } = await startScript([{ ...SKEWED, headers: { date: 'later' } }])
  await expect(openHere(endpoint).listObjects({ signal })).rejects.toMatchObject({ code: 'RequestTimeTooSkewed' })
  expect(requests.length).toBe(1)
})
