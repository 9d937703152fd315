// What can be wrong with a link.

/**
 * In English, for the command line; the window has the same texts in its catalog, as `commands.link.…`. `{what}` is
 * the part of a curl command at fault.
 */
export const LINK_FAULTS = {
  'bad-encoding': 'The link isn’t encoded correctly. Copy it again from where you found it.',
  'curl-authorization': 'Sluice can’t send the Authorization header of this curl command. Use a signed link instead.',
  'curl-certificates': 'This curl command turns off certificate checks (-k), which Sluice never does. Remove -k.',
  'curl-header': 'Sluice can’t send the header {what} of this curl command.',
  'curl-method': 'This curl command is not a download ({what}).',
  'curl-no-address': 'This curl command has no address.',
  'curl-option': 'Sluice can’t use the option {what} of this curl command.',
  'curl-quotation': 'A quotation mark in this curl command isn’t closed.',
  'curl-several': 'This curl command has several addresses. Put each on a line of its own.',
  'long-name': 'The file name in the link is too long.',
  'no-bucket': 'The link doesn’t name a bucket.',
  'no-web-address': 'The address doesn’t begin with http:// or https://.',
  'not-complete': 'The link is incomplete. Copy all of it.',
  'not-shown': 'The link contains characters that can’t be shown.',
  'not-shown-name': 'The file name in the link contains characters that can’t be shown.',
  'signs-in': 'Remove the user name and password from the link. The place has its own key.',
  spaces: 'The link has a space in it. Put each link on a line of its own, and write %20 for a space.',
  'too-long': 'The link is too long.',
} as const

export type LinkFault = keyof typeof LINK_FAULTS

/** A link that can't be followed. */
export interface RefusedLink {
  readonly kind: 'refused'
  readonly fault: LinkFault
  readonly what: string
  /** The fault in English. */
  readonly reason: string
}

export function refused(fault: LinkFault, what = ''): RefusedLink {
  return { kind: 'refused', fault, what, reason: LINK_FAULTS[fault].replace('{what}', () => what) }
}
