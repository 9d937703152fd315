import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { chosenFiles } from '../../../electron/services/transfers/chosen-files.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { worded } from '../../../shared/language/message.ts'
import { setLanguage } from '../../../shared/language/translate.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

afterEach(() => setLanguage(languageOf('en')))

// Windows lets only administrators and developers make links to files.
test.skipIf(process.platform === 'win32')(
  'a chosen link is what it leads to, and what is no file is named',
  async () => {
    const root = await tempDir()
    await mkdir(join(root, 'album'))
    await writeFile(join(root, 'a.jpg'), 'a')
    await symlink('album', join(root, 'holiday'))
    await symlink('a.jpg', join(root, 'cover.jpg'))
    await symlink('nowhere', join(root, 'broken'))
    const chosen = ['a.jpg', 'cover.jpg', 'holiday', 'broken'].map((name) => join(root, name))
    const { files, skipped } = await chosenFiles([...chosen, '/dev/null'], '2026/')
    expect(files).toEqual([
      { sourcePath: join(root, 'a.jpg'), key: '2026/a.jpg' },
      { sourcePath: join(root, 'cover.jpg'), key: '2026/cover.jpg' },
    ])
    expect(skipped.map(worded)).toEqual([
      'holiday is a folder. Use “Upload folder…” for it.',
      'broken can’t be read.',
      'null is not a file.',
    ])
    setLanguage(languageOf('zh-CN'))
    expect(skipped.slice(0, 2).map(worded)).toEqual(['holiday 是文件夹。请使用“上传文件夹…”。', '无法读取 broken。'])
  },
)
