// The texts in Simplified Chinese.

import app from './zh-CN/app.json' with { type: 'json' }
import browser from './zh-CN/browser.json' with { type: 'json' }
import commands from './zh-CN/commands.json' with { type: 'json' }
import common from './zh-CN/common.json' with { type: 'json' }
import downloads from './zh-CN/downloads.json' with { type: 'json' }
import format from './zh-CN/format.json' with { type: 'json' }
import inspector from './zh-CN/inspector.json' with { type: 'json' }
import places from './zh-CN/places.json' with { type: 'json' }
import queue from './zh-CN/queue.json' with { type: 'json' }
import services from './zh-CN/services.json' with { type: 'json' }
import settings from './zh-CN/settings.json' with { type: 'json' }
import sheets from './zh-CN/sheets.json' with { type: 'json' }
import shell from './zh-CN/shell.json' with { type: 'json' }
import transfer from './zh-CN/transfer.json' with { type: 'json' }
import uploads from './zh-CN/uploads.json' with { type: 'json' }
import window from './zh-CN/window.json' with { type: 'json' }
import type { Messages } from './english.ts'

export const CHINESE: Messages = {
  ...app,
  ...browser,
  ...commands,
  ...common,
  ...downloads,
  ...format,
  ...inspector,
  ...places,
  ...queue,
  ...services,
  ...settings,
  ...sheets,
  ...shell,
  ...transfer,
  ...uploads,
  ...window,
}
