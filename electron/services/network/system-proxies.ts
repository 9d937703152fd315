import { inTime } from '../../async/in-time.ts'
import { proxyName, type Proxy } from '../../stores/network/network.ts'
import { bareHost } from '../../stores/network/proxy-rules.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'

/** How long the system's answer holds. Running the network's script for each request would be slow. */
const KNOWN_MS = 60_000
/** How long to wait for the system's answer. It may never come, for example when the network goes away meanwhile. */
const ASKED_MS = 60_000
/** How long a proxy that could not be reached is only the last choice. */
const AVOIDED_MS = 60_000

/** The proxies in this computer's settings. */
export interface SystemProxies {
  /** Returns null for a direct connection. Throws StoreError when every proxy offered is of an unsupported kind. */
  find(origin: string): Proxy | null | Promise<Proxy | null>
  unreachable(proxy: Proxy): void
  /** The computer is on another network. */
  forget(): void
}

interface Answer {
  readonly choices: readonly (Proxy | null)[]
  readonly untilMs: number
}

/** `resolve` is Electron's `resolveProxy`, which also runs a network's script (PAC). */
export function createSystemProxies(
  resolve: (url: string) => Promise<string>,
  nowMs = () => performance.now(),
): SystemProxies {
  const answers = new Map<string, Answer>()
  const asking = new Map<string, Promise<Proxy | null>>()
  const avoided = new Map<string, number>()
  /** Goes up with each change of network, so that a late answer from the previous network is not kept. */
  let generation = 0

  function choose({ choices }: Answer): Proxy | null {
    const isGood = (choice: Proxy | null): boolean =>
      choice === null || (avoided.get(proxyName(choice)) ?? 0) <= nowMs()
    return choices.find(isGood) ?? choices[0] ?? null
  }

  async function ask(origin: string): Promise<Proxy | null> {
    const asked = generation
    try {
      const text = await inTime(resolve(origin), ASKED_MS, silentSystem)
      const answer = { choices: parseProxyList(text), untilMs: nowMs() + KNOWN_MS }
      if (asked === generation) answers.set(origin, answer)
      return choose(answer)
    } finally {
      if (asked === generation) asking.delete(origin)
    }
  }

  return {
    find(origin) {
      const answer = answers.get(origin)
      if (answer !== undefined && answer.untilMs > nowMs()) return choose(answer)
      const asked = asking.get(origin) ?? ask(origin)
      asking.set(origin, asked)
      return asked
    },
    unreachable(proxy) {
      avoided.set(proxyName(proxy), nowMs() + AVOIDED_MS)
    },
    forget() {
      generation += 1
      answers.clear()
      asking.clear()
      avoided.clear()
    },
  }
}

function silentSystem(): StoreError {
  const message = 'The system did not say whether there is a proxy'
  return new StoreError(STORE_ERROR.network, message, { maybeProcessed: false })
}

/**
 * Reads `PROXY host:port; SOCKS5 host:port; DIRECT`, the best choice first; null is a direct connection. Throws
 * StoreError when every entry is of an unsupported kind.
 */
export function parseProxyList(text: string): readonly (Proxy | null)[] {
  const entries = text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const choices = entries.flatMap((entry) => parseChoice(entry))
  if (choices.length === 0 && entries.length > 0) {
    const message = `The system’s settings name a kind of proxy that can’t be used (${entries.join('; ')})`
    throw new StoreError(STORE_ERROR.proxyUnsupported, message, { maybeProcessed: false })
  }
  return choices
}

function parseChoice(entry: string): readonly (Proxy | null)[] {
  if (/^direct$/i.test(entry)) return [null]
  const authority = /^(?:proxy|http)\s+(\S+)$/i.exec(entry)?.[1] ?? ''
  const url = URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : null
  if (authority === '' || url === null) return []
  const host = bareHost(url.hostname)
  return host === '' ? [] : [{ host, port: Number(url.port) || 80, credentials: null }]
}
