import type { PlaceId } from '../place/place.ts'
import type { Refusal } from '../transfer/words/error-words.ts'

/** An object that a link names, or the link itself. */
export type LinkTarget =
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'object'; readonly placeId: PlaceId; readonly bucket: string; readonly key: string }

/** What a link leads to, according to the server. */
export interface LinkFacts {
  /** The name of the file that a download makes. */
  readonly name: string
  /** The `host[:port]` that was asked. */
  readonly host: string
  /** Null: the server doesn't say. */
  readonly sizeBytes: number | null
  /** Whether a stopped download could continue where it was; null: not known yet. */
  readonly canContinue: boolean | null
  /** Why it can't be downloaded now; null: nothing seems to prevent it. */
  readonly problem: Refusal | null
  /** Whether the problem may pass: a download would wait and try again. */
  readonly mayPass: boolean
  /** The server whose certificate is the problem, `https://host[:port]`; null: the problem is another. */
  readonly untrustedOrigin: string | null
}

/** Requests about links and files from outside. None of them writes anything. */
export interface LinkRequests {
  /** The links that the system opened the app with, each returned once, and how many more there were. */
  'links:take': { request: null; response: { readonly links: readonly string[]; readonly leftOut: number } }
  /** The absolute paths of files and folders that the app was opened with, each once. Nothing is at `missing` ones. */
  'files:take': {
    request: null
    response: { readonly paths: readonly string[]; readonly missing: readonly string[] }
  }
  'links:look': { request: LinkTarget; response: LinkFacts }
}

export const LINK_REQUESTS = { 'links:take': true, 'files:take': true, 'links:look': true } satisfies Record<
  keyof LinkRequests,
  true
>
