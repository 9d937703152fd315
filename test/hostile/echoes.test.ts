import { expect, test } from 'vitest'
import { createUrlStore } from '../../electron/stores/index.ts'
import { startScript } from '../support/servers/scripted-server.ts'
import { canary, hasCanary } from '../support/tools/canaries.ts'
import { openStore, signal } from '../stores/support/open-store.ts'
import { openS3 } from '../stores/s3/support/open-s3.ts'

const secrets = { 'link signature': canary('signature'), 'session token': canary('token') }
const query = new URLSearchParams({
  'X-Amz-Signature': secrets['link signature'],
  'X-Amz-Security-Token': secrets['session token'],
}).toString()

test.each([
  ['the whole address', `Refused: https://s.example.com/demo/a?${query}`],
  ['the target', `Refused GET /demo/a?${query} for now`],
  ['the query alone', `Refused (${query})`],
  ['a header', `x-amz-security-token: ${secrets['session token']}`],
])('an error that says %s back says no secret', async (_what, message) => {
  const { endpoint } = await startScript([
    {
      status: 403,
      body: `<Error><Code>AccessDenied</Code><Message>${message.replaceAll('&', '&amp;')}</Message></Error>`,
    },
  ])
  const link = createUrlStore(`${endpoint}/demo/a?${query}`)
  for (const store of [openStore(endpoint), openS3(endpoint), link]) {
    const failure: unknown = await store.getObject({ key: 'a', signal }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'StoreError' })
    expect(hasCanary(secrets, (failure as Error).message)).toEqual([])
  }
  await link.close()
})
