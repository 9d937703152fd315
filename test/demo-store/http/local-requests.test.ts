import { expect, it } from 'vitest'
import { json, put, startStore, verdict } from '../support/fixture.ts'

const ATTACKER = 'demo.attacker.example'

it.each([
  ['lists a bucket for another host', { path: '/', headers: { Host: ATTACKER } }],
  ['lists a bucket for another host and port', { path: '/demo/', headers: { Host: 'attacker.example:9090' } }],
  ['lists for a host that only begins like ours', { path: '/demo/', headers: { Host: '127.0.0.1.attacker.example' } }],
  ['lists for a host that only ends like ours', { path: '/demo/', headers: { Host: 'notlocalhost' } }],
  ['deletes for another host', { method: 'DELETE', path: '/a', headers: { Host: ATTACKER } }],
  ['reads what an absolute target names on another host', { path: `http://${ATTACKER}/a` }],
  [
    'begins an upload for a page',
    { method: 'POST', path: '/demo/b?uploads', headers: { Origin: 'https://page.example' } },
  ],
  [
    'begins an upload for a page without a name',
    { method: 'POST', path: '/demo/b?uploads', headers: { Origin: 'null' } },
  ],
  [
    'replaces for a page of this computer',
    { method: 'PUT', path: '/demo/a', body: 'y', headers: { Origin: 'http://localhost:3000' } },
  ],
])('without keys the service never %s', async (_, request) => {
  const { client } = await startStore({ credentials: null })
  await put(client, '/demo/a', 'x')
  expect(verdict(await client.send(request))).toBe('403 AccessDenied')
  expect((await client.send({ path: '/demo/a' })).body.toString()).toBe('x')
  expect(json(await client.send({ path: '/demo/?uploads' }))['Uploads']).toEqual([])
})

it.each(['localhost', 'LOCALHOST:9', '127.0.0.1:9000', '[::1]:9', 'demo.localhost:9', '127.1.2.3'])(
  'without keys the service answers to %s',
  async (host) => {
    const { client } = await startStore({ credentials: null })
    const path = host.startsWith('demo.') ? '/' : '/demo/'
    expect((await client.send({ path, headers: { Host: host } })).status).toBe(200)
  },
)
