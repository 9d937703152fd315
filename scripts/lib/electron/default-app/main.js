// Runs inside Electron: `electron [switches] <folder> [arguments]` opens the application in that folder.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'

const args = process.argv.slice(1)
const require = createRequire(import.meta.url)
let folder
while (folder === undefined && args.length > 0) {
  const arg = args.shift()
  if (arg === '-r' || arg === '--require') require(resolve(args.shift()))
  else if (!arg.startsWith('-')) folder = resolve(arg)
}

if (folder === undefined) {
  process.stderr.write('Usage: electron <folder>\n')
  app.exit(2)
} else {
  const {
    name,
    productName = name,
    version,
    main = 'index.js',
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  process.defaultApp = true
  app.name = productName
  app.setVersion(version)
  app.setAppPath(folder)
  if (process.platform === 'linux') app.setDesktopName(`${name}.desktop`)
  if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', join(app.getPath('appData'), productName))
  await import(pathToFileURL(join(folder, main)).href)
}
