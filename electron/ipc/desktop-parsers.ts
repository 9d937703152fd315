import { z } from 'zod'
import { WHEN_DONE } from '../../shared/ipc/desktop-requests.ts'
import { COMMAND_NAMES } from '../../shared/ipc/menu-commands.ts'
import { UPDATE_ACTIONS } from '../../shared/ipc/update-status.ts'
import { MAX_REQUEST_ITEMS } from '../../shared/limits.ts'

const commands = z.array(z.enum(COMMAND_NAMES)).max(COMMAND_NAMES.length)

/** What requests about the desktop must look like. */
export const desktopRequests = {
  'menu:facts': z.strictObject({ able: commands, ticked: commands }),
  'plans:get': z.null(),
  'plans:resume-now': z.null(),
  'plans:set-low-speed': z.strictObject({ isOn: z.boolean() }),
  'plans:set-when-done': z.strictObject({ what: z.enum(WHEN_DONE) }),
  'plans:open-when-done': z.strictObject({ ids: z.array(z.uuid()).max(MAX_REQUEST_ITEMS), opens: z.boolean() }),
  'app:licences': z.null(),
  'updates:get': z.null(),
  'updates:act': z.strictObject({ action: z.enum(UPDATE_ACTIONS) }),
  'report:save': z.strictObject({ withNames: z.boolean() }),
}
