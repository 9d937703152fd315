import { expect, it, vi } from 'vitest'

const said: string[] = []
vi.mock('../../shared/language/translate.ts', async (original) => ({
  ...(await original<object>()),
  t: (key: string) => {
    said.push(key)
    return key
  },
}))

it('says nothing while it is loaded: a text would stay in the language of that moment', async () => {
  const files = import.meta.glob(['../../renderer/**/*.{ts,tsx}', '!../../renderer/app/main.tsx'])
  for (const load of Object.values(files)) await load()
  expect(Object.keys(files).length).toBeGreaterThan(100)
  expect(said).toEqual([])
})
