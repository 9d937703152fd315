import { z } from 'zod'
import { WHEN_DONE } from '../../../shared/ipc/desktop-requests.ts'
import { COMMAND_NAMES } from '../../../shared/ipc/menu-commands.ts'
import { UPDATE_ACTIONS } from '../../../shared/ipc/update-status.ts'
import { MAX_REQUEST_ITEMS } from '../../../shared/limits.ts'
import { settingsSchema } from '../../services/persistence/schemas.ts'
import { nothing, transferId, type ChosenPath, type RequestParsers } from './fields.ts'

/** Enough for the keys of a long list. */
const MAX_TEXT_LENGTH = 32_000_000

const commands = z.array(z.enum(COMMAND_NAMES)).max(COMMAND_NAMES.length)
const file = z.strictObject({ id: transferId })

/** Parsers of requests about the app itself, its settings and the desktop around it. */
export function desktopParsers(path: ChosenPath) {
  return {
    'app:info': nothing,
    'app:can-save': nothing,
    'app:licenses': nothing,
    'app:restart': nothing,
    'keyring:unlock': nothing,
    'settings:get': nothing,
    'settings:set': settingsSchema.extend({ downloadsFolder: path.nullable().exactOptional() }),
    'menu:facts': z.strictObject({ able: commands, ticked: commands }),
    'plans:get': nothing,
    'plans:resume-now': nothing,
    'plans:set-low-speed': z.strictObject({ isOn: z.boolean() }),
    'plans:set-when-done': z.strictObject({ what: z.enum(WHEN_DONE) }),
    'plans:open-when-done': z.strictObject({ ids: z.array(transferId).max(MAX_REQUEST_ITEMS), opens: z.boolean() }),
    'updates:get': nothing,
    'updates:act': z.strictObject({ action: z.enum(UPDATE_ACTIONS) }),
    'report:save': z.strictObject({ withNames: z.boolean() }),
    'dialogs:choose-files': nothing,
    'dialogs:choose-folder': z.strictObject({ defaultPath: path.nullable() }),
    'shell:reveal': file,
    'shell:open': file,
    'shell:preview': file.extend({ number: z.int().min(0).nullable() }),
    'shell:drag': z.strictObject({ ids: z.array(transferId).min(1).max(MAX_REQUEST_ITEMS) }),
    'clipboard:write': z.strictObject({ text: z.string().max(MAX_TEXT_LENGTH) }),
    'clipboard:link': nothing,
  } satisfies Partial<RequestParsers>
}
