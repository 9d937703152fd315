// What a person is told of a list of transfers that was damaged.

import { t } from '../language/translate.ts'

/** One sentence each for what was saved and what was not. `transfers` is how many could be read. Pure. */
export function damageWords({ transfers, isWhole }: { readonly transfers: number; readonly isWhole: boolean }): string {
  if (isWhole) return t('transfer.damage.mended')
  return transfers === 0 ? t('transfer.damage.none-read') : t('transfer.damage.some-read', { count: transfers })
}
