import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { administratorScript, linkCommand } from '../../../electron/shell/desk/command-link.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const APP = '/Applications/Sluice.app/Contents/Resources/bin/sluice'
const EARLIER = '/Users/joe/Downloads/Sluice.app/Contents/Resources/bin/sluice'

const nobody = () => Promise.reject(new Error('There is no administrator'))
const linked = (script: string, link: string) => linkCommand({ script, link, fileSystem: fs, asAdministrator: nobody })

describe('the command line of a Mac', () => {
  it('gets a link on the PATH, folder and all, which follows the app to another place', async () => {
    const link = join(await tempDir(), 'local', 'bin', 'sluice')
    expect(await linked(EARLIER, link)).toBe('linked')
    expect(await linked(APP, link)).toBe('linked')
    expect(await fs.readlink(link)).toBe(APP)
  })

  it.each([
    ['a file', (link: string) => fs.writeFile(link, 'a program')],
    ['a link to another program', (link: string) => fs.symlink('/opt/other/sluice', link)],
  ])('leaves %s of the same name alone', async (_what, put) => {
    const link = join(await tempDir(), 'sluice')
    await put(link)
    expect(await linked(APP, link)).toBe('taken')
  })

  it.each(['/Volumes/Sluice 0.2.0', '/private/var/folders/x/T/AppTranslocation/1-2-3/d'])(
    'gets no link to where the app is only for now: %s',
    async (folder) => {
      const link = join(await tempDir(), 'sluice')
      expect(await linked(`${folder}/Sluice.app/Contents/Resources/bin/sluice`, link)).toBe('passing')
      await expect(fs.lstat(link)).rejects.toMatchObject({ code: 'ENOENT' })
    },
  )

  it('is linked by an administrator where this person may not, who is asked once', async () => {
    const link = join(await tempDir(), 'bin', 'sluice')
    const refused = () => Promise.reject(Object.assign(new Error('permission denied'), { code: 'EACCES' }))
    const asked: string[] = []
    const asAdministrator = (command: string) => Promise.resolve(void asked.push(command))
    const fileSystem = { ...fs, mkdir: refused }
    expect(await linkCommand({ script: APP, link, fileSystem, asAdministrator })).toBe('linked')
    expect(asked).toEqual([`/bin/mkdir -p '${dirname(link)}' && /bin/ln -sfn '${APP}' '${link}'`])
  })
})

it('hands an administrator the words as they are, whatever is in them', async () => {
  const script = `/Users/Joe "J" O'Neil\\$(id)/Sluice.app/Contents/Resources/bin/sluice`
  let asked = ''
  const asAdministrator = (command: string) => Promise.resolve(void (asked = command))
  const refused = () => Promise.reject(Object.assign(new Error('not permitted'), { code: 'EPERM' }))
  const link = join(await tempDir(), 'sluice')
  await linkCommand({ script, link, fileSystem: { ...fs, symlink: refused }, asAdministrator })
  expect(asked).toContain(String.raw`'/Users/Joe "J" O'\''Neil\$(id)/Sluice.app/Contents/Resources/bin/sluice'`)
  expect(administratorScript(String.raw`echo "a\b"`)).toBe(
    String.raw`do shell script "echo \"a\\b\"" with administrator privileges`,
  )
})
