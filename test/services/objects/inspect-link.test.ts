import * as https from 'node:https'
import { expect, it } from 'vitest'
import { inspectLink } from '../../../electron/services/objects/inspect-link.ts'
import type { Places } from '../../../electron/services/places/places.ts'
import { createUrlStore } from '../../../electron/stores/index.ts'
import type { LinkFacts } from '../../../shared/ipc/link-requests.ts'
import { refusalWords } from '../../../shared/transfer/words/error-words.ts'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { listenUntilTestEnds, startScript, type ScriptedResponse } from '../../support/servers/scripted-server.ts'

const places: Pick<Places, 'openStore' | 'locateLink' | 'list'> = {
  list: () => [],
  locateLink: (url) => ({ kind: 'link', url }),
  openStore: (location) => createUrlStore(location.kind === 'link' ? location.url : ''),
}

const problemIn = ({ problem }: LinkFacts) => problem && refusalWords(problem)

async function look(response: ScriptedResponse) {
  const { endpoint, requests } = await startScript([response])
  const facts = await inspectLink(places, { kind: 'link', url: `${endpoint}/films/film%20one.mov?sig=secret` })
  return { facts, host: new URL(endpoint).host, requests }
}

it('tells name, host and size of a link, for one byte of it', async () => {
  const headers = { 'content-range': 'bytes 0-0/12700000000', etag: '"e"' }
  const { facts, host, requests } = await look({ status: 206, headers, body: 'x' })
  expect(facts).toEqual({
    ...{ name: 'film one.mov', host, sizeBytes: 12_700_000_000, canContinue: true },
    ...{ problem: null, mayPass: true, untrustedOrigin: null },
  })
  expect(requests.map(({ method, headers: { range } }) => [method, range])).toEqual([['GET', 'bytes=0-0']])
})

it('knows a server that has no ranges, and leaves what it sends', async () => {
  const { facts } = await look({ status: 200, body: 'x'.repeat(2_000_000) })
  expect(facts).toMatchObject({ sizeBytes: 2_000_000, canContinue: false, problem: null })
})

it('knows an empty object', async () => {
  const { facts } = await look({ status: 416, headers: { 'content-range': 'bytes */0' } })
  expect(facts).toMatchObject({ sizeBytes: 0, problem: null })
})

it('says nothing of a size that the server doesn’t tell', async () => {
  const { facts } = await look({ status: 206, headers: { 'content-range': 'bytes 0-0/*' }, body: 'x' })
  expect(facts).toMatchObject({ sizeBytes: null, problem: null, mayPass: true })
})

it.each<[string, ScriptedResponse, (host: string) => string, boolean]>([
  ['403', { status: 403 }, (host) => `${host} refused the link (403). It may have expired.`, false],
  ['404', { status: 404 }, (host) => `${host} has nothing at this link (404).`, false],
  ['401', { status: 401 }, (host) => `${host} refused the link (401): it needs a sign-in, or it has expired.`, false],
  ['410', { status: 410 }, () => 'The link has expired.', false],
  [
    'a signature that has expired',
    { status: 403, body: '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>' },
    () => 'The link has expired.',
    false,
  ],
  ['503', { status: 503 }, (host) => `${host} is busy or not working.`, true],
])('says in words what %s means, and whether it is worth a try', async (_what, response, words, mayPass) => {
  const { facts, host } = await look(response)
  expect(facts).toMatchObject({ sizeBytes: null, mayPass })
  expect(problemIn(facts)).toBe(words(host))
})

it('names the server whose certificate nobody vouches for', async () => {
  const server = https.createServer(CERTIFICATES.good, (_request, response) => response.end())
  const origin = await listenUntilTestEnds(server, 'https')
  const facts = await inspectLink(places, { kind: 'link', url: `${origin}/f` })
  expect(facts).toMatchObject({ mayPass: false, untrustedOrigin: origin })
  expect(problemIn(facts)).toMatch(/a certificate this computer doesn’t trust/)
})

it('lets a link wait for a server that is away', async () => {
  const facts = await inspectLink(places, { kind: 'link', url: 'http://127.0.0.1:1/f' })
  expect(facts).toMatchObject({ mayPass: true, untrustedOrigin: null })
  expect(problemIn(facts)).toBe('Can’t reach 127.0.0.1:1: connection refused.')
})

it('knows a page that a network answers with before it lets anything out', async () => {
  const headers = { 'content-type': 'text/html' }
  const { facts, host } = await look({ status: 200, headers, body: '<!doctype html><title>Hotel</title>' })
  expect(facts.mayPass).toBe(true)
  expect(problemIn(facts)).toBe(
    `A web page answers instead of ${host}. Open a browser: this network may want you to sign in.`,
  )
})
