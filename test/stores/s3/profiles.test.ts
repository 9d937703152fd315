import { expect, test } from 'vitest'
import { listProfiles } from '../../../electron/stores/s3/profiles.ts'

const CONFIG = `
[default]
region = eu-west-1

[profile studio]
sso_session = work
sso_account_id = 111122223333
region=eu-central-1

[sso-session work]
sso_start_url = https://example.awsapps.com/start

[profile "night shift"]
role_arn = arn:aws:iam::111122223333:role/night
source_profile = default
s3 =
  addressing_style = path

[profile vault]
credential_process = /usr/bin/vault keys

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

test('lists the profiles that can give keys, and says where from', () => {
  expect(listProfiles(CONFIG, CREDENTIALS)).toEqual([
    { name: 'default', kind: 'keys', region: 'eu-west-1' },
    { name: 'night shift', kind: 'role', region: '' },
    { name: 'plain', kind: 'keys', region: '' },
    { name: 'studio', kind: 'sso', region: 'eu-central-1' },
    { name: 'vault', kind: 'process', region: '' },
  ])
  expect(listProfiles('', 'not a profile')).toEqual([])
})
