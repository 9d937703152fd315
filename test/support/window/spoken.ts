import type { Page } from 'playwright-core'

/** A node of Chromium's accessibility tree, as far as it is looked at. */
interface Node {
  readonly nodeId: string
  readonly ignored: boolean
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
  readonly description?: { readonly value: string }
  readonly value?: { readonly value: string | number }
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[]
  readonly childIds?: readonly string[]
}

/** Roles that a screen reader passes over in silence. */
const SILENT: ReadonlySet<string> = new Set([
  'none',
  'generic',
  'InlineTextBox',
  'LineBreak',
  'RootWebArea',
  'presentation',
])

/** States as they are said; those that are off are said only where that tells something. */
const STATES: Readonly<Record<string, (value: unknown) => string>> = {
  focused: (is) => (is === true ? 'focused' : ''),
  disabled: (is) => (is === true ? 'unavailable' : ''),
  expanded: (is) => (is === true ? 'expanded' : 'collapsed'),
  selected: (is) => (is === true ? 'selected' : ''),
  checked: (is) => (is === 'true' ? 'checked' : 'not checked'),
  pressed: (is) => (is === 'true' ? 'pressed' : ''),
  hasPopup: (kind) => (kind === 'menu' ? 'has a menu' : kind === 'listbox' ? 'has a list' : ''),
  modal: (is) => (is === true ? 'modal' : ''),
  live: (kind) => `said ${kind === 'assertive' ? 'at once' : 'when it changes'}`,
  valuetext: (text) => (text === '' ? '' : `“${String(text)}”`),
  level: (level) => `level ${String(level)}`,
}

/** What Chromium tells screen readers of the page: a line for each element that is said, indented by what it is in. */
export async function spoken(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Accessibility.enable')
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: readonly Node[] }
  // Chromium keeps the tree for a session that asked for it. What isn't disabled goes when the session's garbage is
  // collected, which may be amid the tree's own work: the page crashes.
  await session.send('Accessibility.disable')
  await session.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const lines: string[] = []

  function walk(id: string, depth: number, said: string): void {
    const node = byId.get(id)
    if (node === undefined) return
    const role = node.role?.value ?? ''
    const name = node.name?.value ?? ''
    // The text of what has a name is its name.
    const isSilent =
      node.ignored || SILENT.has(role) || (role === 'StaticText' && (said.includes(name) || name.trim() === ''))
    if (!isSilent) lines.push(`${'  '.repeat(depth)}${lineOf(node, role, name)}`)
    for (const child of node.childIds ?? []) walk(child, isSilent ? depth : depth + 1, name === '' ? said : name)
  }

  const [root] = nodes
  if (root !== undefined) walk(root.nodeId, 0, '')
  return lines
}

function lineOf({ description, value, properties = [] }: Node, role: string, name: string): string {
  const told = properties.map((property) => STATES[property.name]?.(property.value.value) ?? '')
  return [
    `${role === 'StaticText' ? 'text' : role}${name === '' ? '' : ` “${name}”`}`,
    value === undefined || value.value === '' ? '' : `value ${String(value.value)}`,
    ...told,
    description === undefined || description.value === '' ? '' : `(${description.value})`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}
