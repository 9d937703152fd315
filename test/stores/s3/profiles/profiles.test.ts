import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readProfiles } from '../../../../electron/stores/s3/profiles/profiles.ts'
import { tempDir } from '../../../support/tools/temp-dir.ts'

const CONFIG = `
[default]
region = eu-west-1 # home

[profile studio]
sso_session = work
sso_account_id = 111122223333
region=eu-central-1

[sso-session work]
sso_start_url = https://example.awsapps.com/start

[profile night]
role_arn = arn:aws:iam::111122223333:role/night
source_profile = default
s3 =
  addressing_style = path

[profile vault]
credential_process = /usr/bin/vault keys
endpoint_url = https://vault.example.com

[profile lake]
aws_access_key_id = AKIC
endpoint_url = https://other.example.com
services = ceph

[services ceph]
s3 =
  endpoint_url = http://ceph.example.com:7480
sqs =
  endpoint_url = https://sqs.example.com

[profile nothing]
output = json
`
const CREDENTIALS = `# keys
[default]\r
aws_access_key_id = AKIA\r
aws_secret_access_key = secret\r
[plain]
aws_access_key_id=AKIB
`

test('lists the profiles that can give keys, and says where from', async () => {
  const folder = await tempDir()
  const [filepath, configFilepath] = [join(folder, 'credentials'), join(folder, 'config')]
  await writeFile(filepath, CREDENTIALS)
  await writeFile(configFilepath, CONFIG)
  expect(await readProfiles({ filepath, configFilepath })).toEqual([
    { name: 'default', kind: 'keys', region: 'eu-west-1', endpoint: '' },
    { name: 'lake', kind: 'keys', region: '', endpoint: 'http://ceph.example.com:7480' },
    { name: 'night', kind: 'role', region: '', endpoint: '' },
    { name: 'plain', kind: 'keys', region: '', endpoint: '' },
    { name: 'studio', kind: 'sso', region: 'eu-central-1', endpoint: '' },
    { name: 'vault', kind: 'process', region: '', endpoint: 'https://vault.example.com' },
  ])
})

test('lists nothing where there are no files, or something else', async () => {
  const folder = await tempDir()
  const [filepath, configFilepath] = [join(folder, 'credentials'), join(folder, 'config')]
  expect(await readProfiles({ filepath, configFilepath })).toEqual([])
  await writeFile(filepath, 'not a profile')
  expect(await readProfiles({ filepath, configFilepath })).toEqual([])
})
