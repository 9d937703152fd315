import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { GENERIC, PROVIDERS, type ProviderFacts } from '../../../electron/stores/s3/providers.ts'
import { serviceOptions } from '../../../renderer/places/presets.ts'
import { MIB } from '../../../shared/limits.ts'

const PAGE = new URL('../../../docs/providers.md', import.meta.url)

test('the page of providers says what the table of providers says', async () => {
  const rows = [
    ...Object.entries(PROVIDERS).map(([name, { host, response, facts }]) => [
      labelOf(name),
      host === undefined ? `header \`${response?.header ?? ''}\`` : 'host name',
      ...cellsOf({ ...GENERIC, ...facts }),
    ]),
    [labelOf('s3'), 'nothing else', ...cellsOf(GENERIC)],
  ]
  const section = (await readFile(PAGE, 'utf8')).split('\n## ').find((each) => each.startsWith('One by one')) ?? ''
  const [, , ...written] = [...section.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  )
  expect(written).toEqual(rows)
})

function labelOf(name: string): string {
  return serviceOptions().find(({ value }) => value === name)?.label ?? name
}

function cellsOf(facts: ProviderFacts): readonly string[] {
  const yes = (is: boolean) => (is ? 'yes' : 'no')
  const parts = `${String(facts.maxPartCount)} from ${String(facts.minPartBytes / MIB)} MiB on`
  return [...etagsOf(facts), parts, yes(facts.checksSizeAtComplete), yes(facts.deletesMany), yes(facts.givesChecksums)]
}

function etagsOf({ etagIsMd5, multipartEtagIsMd5 }: ProviderFacts): readonly string[] {
  if (!etagIsMd5) return ['no hash', 'no hash']
  return ['MD5', multipartEtagIsMd5 ? 'MD5 of MD5s' : 'may be a hash']
}
