import { expect, it } from 'vitest'
import { isNewer, isVersion } from '../../../electron/services/updates/version.ts'

it('knows which of two versions comes after the other', () => {
  const order = ['0.1.0', '0.2.0-beta.1', '0.2.0-beta.2', '0.2.0-beta.10', '0.2.0', '0.2.1', '0.10.0', '1.0.0']
  for (const [at, version] of order.entries())
    for (const [other, than] of order.entries()) expect(isNewer(version, than), `${version} ${than}`).toBe(at > other)
})

it('doesn’t take text that is not a version for a newer one', () => {
  for (const text of ['', '1', '1.2', 'v1.2.3', '1.2.3-rc.1', '1.2.3 ', '1.2.3.4', '99999999.0.0']) {
    expect(isVersion(text), text).toBe(false)
    expect(isNewer(text, '0.0.1'), text).toBe(false)
  }
})
