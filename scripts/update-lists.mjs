import { createPrivateKey } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { updateLists } from './packages/update-lists.mjs'
import { inRoot } from './lib/paths.mjs'
import { Failure, main, say } from './lib/say.mjs'
import { packageFacts } from './lib/shipped.mjs'

/**
 * Signs the update lists for the installers in dist/, and writes them there. SLUICE_UPDATE_SIGNING_KEY is the private
 * key as PEM, the counterpart of the built-in SLUICE_UPDATE_KEY.
 */
await main(async () => {
  const pem = process.env.SLUICE_UPDATE_SIGNING_KEY ?? ''
  if (pem === '') throw new Failure('SLUICE_UPDATE_SIGNING_KEY is not set.')
  const lists = await updateLists(inRoot('dist'), packageFacts().version, createPrivateKey(pem))
  for (const [name, text] of Object.entries(lists)) await writeFile(inRoot('dist', name), text)
  say(
    `Signed:\n${Object.keys(lists)
      .map((name) => `  ${name}`)
      .join('\n')}`,
  )
})
