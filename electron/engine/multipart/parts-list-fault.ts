/** What is wrong with a parts list: a fault of the list itself, or a disagreement between it and the service. */
export type PartsListFault =
  | { readonly kind: 'not-json' | 'no-parts-list' | 'empty' | 'no-such-upload' | 'another-file' }
  /** `entry` counts from 1. */
  | { readonly kind: 'unusable-entry'; readonly entry: number; readonly member: string }
  | { readonly kind: 'repeated-part'; readonly partNumber: number }
  | PartsFault

/** What is wrong with some parts; `partNumbers` names all of them, ascending. */
export interface PartsFault {
  /**
   * `not-there`: the service doesn't have them; `differing`: its parts differ; `not-listed`: the list has a gap there;
   * `left-out`: the service has parts that the list lacks; `too-small`: only the last part may be this small.
   */
  readonly kind: 'not-there' | 'differing' | 'not-listed' | 'left-out' | 'too-small'
  readonly partNumbers: readonly number[]
}

/** Why a parts list can't be used, as the command line reports it to scripts. */
export type PartsListProblem =
  'not-json' | 'not-a-parts-list' | 'repeated-part' | 'no-such-upload' | 'parts-differ' | 'another-file'

/** `message` is a sentence for the command line. */
export class PartsListError extends Error {
  readonly fault: PartsListFault

  constructor(fault: PartsListFault) {
    super(sentenceOf(fault))
    this.name = 'PartsListError'
    this.fault = fault
  }

  get problem(): PartsListProblem {
    const { kind } = this.fault
    switch (kind) {
      case 'not-json':
      case 'repeated-part':
      case 'no-such-upload':
      case 'another-file':
        return kind
      case 'no-parts-list':
      case 'empty':
      case 'unusable-entry':
        return 'not-a-parts-list'
      default:
        return 'parts-differ'
    }
  }
}

/** The format of a parts list. */
export const PARTS_LIST_SHAPE = '{"uploadId":"…","key":"…","parts":[{"partNumber":1,"etag":"…"}, …]}'

function sentenceOf(fault: PartsListFault): string {
  switch (fault.kind) {
    case 'not-json':
      return 'The parts list is not JSON.'
    case 'no-parts-list':
      return `This isn’t a parts list. It should be ${PARTS_LIST_SHAPE}.`
    case 'empty':
      return 'The list is empty.'
    case 'unusable-entry':
      return `Entry ${String(fault.entry)} of the parts list has no usable ${fault.member}. It should be ${PARTS_LIST_SHAPE}.`
    case 'repeated-part':
      return `The list names part ${String(fault.partNumber)} more than once.`
    case 'no-such-upload':
      return 'The server no longer has this upload.'
    case 'another-file':
      return 'No part of this upload is known to come from this file.'
    case 'not-there':
      return `The server doesn’t have ${named(fault)}.`
    case 'differing':
      return `What the server has of ${named(fault)} is not what the list says.`
    case 'not-listed':
      return `The list lacks ${named(fault)}.`
    case 'left-out':
      return `The server also has ${named(fault)}, which the list leaves out.`
    case 'too-small':
      return `The server takes no part as small as ${named(fault)}, except at the end.`
  }
}

const MOST_NAMED = 5

/** "part 7"; "parts 1, 2, 3, 4, 5 and 12 more". */
function named({ partNumbers }: PartsFault): string {
  const more = partNumbers.length > MOST_NAMED ? ` and ${String(partNumbers.length - MOST_NAMED)} more` : ''
  return `part${partNumbers.length === 1 ? '' : 's'} ${partNumbers.slice(0, MOST_NAMED).join(', ')}${more}`
}
