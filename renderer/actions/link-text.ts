/** Why a text can't be used as a link, or null when it can. Pure. */
export function linkProblem(text: string): string | null {
  if (/\s/.test(text) || !isLink(text)) return 'A link begins with https:// or http://.'
  const { username, password } = new URL(text)
  return username + password === '' ? null : 'A link with a user name or password in it is not taken.'
}

function isLink(line: string): boolean {
  return /^https?:\/\//i.test(line) && URL.canParse(line)
}
