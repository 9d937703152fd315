// The English texts. Every other language must have the same keys, and the command line speaks English.

import app from './en/app.json' with { type: 'json' }
import browser from './en/browser.json' with { type: 'json' }
import commands from './en/commands.json' with { type: 'json' }
import common from './en/common.json' with { type: 'json' }
import downloads from './en/downloads.json' with { type: 'json' }
import format from './en/format.json' with { type: 'json' }
import inspector from './en/inspector.json' with { type: 'json' }
import places from './en/places.json' with { type: 'json' }
import queue from './en/queue.json' with { type: 'json' }
import services from './en/services.json' with { type: 'json' }
import settings from './en/settings.json' with { type: 'json' }
import sheets from './en/sheets.json' with { type: 'json' }
import shell from './en/shell.json' with { type: 'json' }
import transfer from './en/transfer.json' with { type: 'json' }
import uploads from './en/uploads.json' with { type: 'json' }
import window from './en/window.json' with { type: 'json' }

export const ENGLISH = {
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

/** The key of a text: its area, which is its file, followed by what it says. */
export type MessageKey = keyof typeof ENGLISH

/** ICU messages by key. */
export type Messages = Readonly<Record<MessageKey, string>>
