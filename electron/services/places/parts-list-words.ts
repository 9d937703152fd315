import { t } from '../../../shared/language/translate.ts'
import { localEnumeration } from '../../../shared/language/locale.ts'
import { PARTS_LIST_SHAPE, type PartsListFault } from '../../engine/index.ts'

/** The most part numbers that a sentence names; it only counts the others. */
const MOST_NAMED = 5

/** What is wrong with a parts list, as a sentence for the window. */
export function partsListWords(fault: PartsListFault): string {
  switch (fault.kind) {
    case 'no-parts-list':
      return t('services.parts.no-parts-list', { shape: PARTS_LIST_SHAPE })
    case 'unusable-entry':
      return t('services.parts.unusable-entry', { ...fault, shape: PARTS_LIST_SHAPE })
    case 'repeated-part':
      return t('services.parts.repeated-part', { number: fault.partNumber })
    case 'not-json':
    case 'empty':
    case 'no-such-upload':
    case 'another-file':
      return t(`services.parts.${fault.kind}`)
    default: {
      const { kind, partNumbers } = fault
      const parts = localEnumeration(partNumbers.slice(0, MOST_NAMED).map(String))
      const more = Math.max(0, partNumbers.length - MOST_NAMED)
      return t(`services.parts.${kind}`, { count: partNumbers.length, parts, more })
    }
  }
}
