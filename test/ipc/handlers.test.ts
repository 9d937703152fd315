import { win32 } from 'node:path'
import { expect, test } from 'vitest'
import { createHandlers, type HandlerServices } from '../../electron/ipc/handlers.ts'

/** Handlers whose dialogs answer nothing, and what they were asked to show. */
function handlersWithDialogs() {
  const shown: string[] = []
  const answer = (text: string) => {
    shown.push(text)
    return Promise.resolve(null)
  }
  const publisher = { poke: () => undefined }
  const services = { publisher, desktop: { chooseTarget: answer, chooseFile: answer } } as unknown as HandlerServices
  return { shown, handlers: createHandlers(services) }
}

const upload = (key: string) => ({ placeId: 'place', bucket: 'demo', key, uploadId: 'u' })

test.each(['..\\..\\x', 'C:evil', 'media/a:b', '..', 'x/\u202egpj.exe'])(
  'a parts list of %j is offered a name inside the folder',
  async (key) => {
    const { shown, handlers } = handlersWithDialogs()
    expect(await handlers['uploads:save-parts'](upload(key))).toBe(false)
    const [name = ''] = shown
    expect(win32.basename(name)).toBe(name)
    expect(name).toMatch(/^[^:\u202e]+\.parts\.json$/)
  },
)

test('a dialog shows what a key hides', async () => {
  const { shown, handlers } = handlersWithDialogs()
  await handlers['uploads:finish'](upload('inv\u202efdp.exe'))
  expect(shown).toEqual(['Which file is inv‛u202efdp.exe?'])
})
