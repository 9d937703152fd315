import { once } from 'node:events'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Exchange, type ActiveRule, type LoggedRequest } from './fault-exchange.ts'
import { matches, type FaultRule, type RequestMatch } from './fault-rules.ts'

/** A rule at work. */
export interface RuleHandle {
  /** How often its fault really happened. */
  readonly hits: number
  remove(): void
}

export interface FaultProxy {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string
  readonly log: readonly LoggedRequest[]
  /** TCP connections accepted so far. */
  readonly connectionCount: number
  /** Most requests that ran at the same time. */
  readonly maxConcurrent: number
  rule(rule: FaultRule): RuleHandle
  /** Requests of the log that fit. */
  requests(when: RequestMatch): LoggedRequest[]
  /** Resolves once `count` requests that fit have begun. */
  seen(when: RequestMatch, count?: number): Promise<void>
  /** Resolves once no request is running. */
  settled(): Promise<void>
  /** Cuts all connections and refuses new ones until the function that it gives is called, which may move it. */
  down(): Promise<(host?: string) => Promise<void>>
  close(): Promise<void>
}

/**
 * Starts an HTTP proxy on loopback that forwards to `target` (a base URL) and misbehaves by rule. Without a target,
 * whatever no rule answers gets 502. Rules apply in the order they were given; several can apply to one request.
 */
export async function startFaultProxy(options: {
  readonly target?: string
  readonly rules?: readonly FaultRule[]
}): Promise<FaultProxy> {
  const rules: ActiveRule[] = []
  const log: LoggedRequest[] = []
  const attempts = new Map<string, number>()
  const watchers = new Set<() => void>()
  let connectionCount = 0
  let running = 0
  let maxConcurrent = 0

  const server = http.createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    const { method = '', url = '' } = request
    const attempt = (attempts.get(`${method} ${url}`) ?? 0) + 1
    attempts.set(`${method} ${url}`, attempt)
    const entry: LoggedRequest = {
      method,
      url,
      headers: request.headers,
      attempt,
      startedAtMs: Date.now(),
      endedAtMs: null,
      status: null,
      requestBytes: 0,
      responseBytes: 0,
      faults: [],
    }
    log.push(entry)
    running += 1
    maxConcurrent = Math.max(maxConcurrent, running)
    for (const watcher of watchers) watcher()
    const applied = rules.filter(({ rule, uses }) => uses < (rule.times ?? Infinity) && matches(rule.when ?? {}, entry))
    for (const active of applied) active.uses += 1
    void new Exchange(request, response, entry, applied).run(options.target).finally(() => {
      running -= 1
      entry.endedAtMs = Date.now()
      for (const watcher of watchers) watcher()
    })
  })
  server.on('connection', () => (connectionCount += 1))
  server.on('clientError', (_error, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const until = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isTrue()) return
        watchers.delete(check)
        resolve()
      }
      watchers.add(check)
      check()
    })
  const requests = (when: RequestMatch) => log.filter((entry) => matches(when, entry))
  const addRule = (rule: FaultRule): RuleHandle => {
    const active: ActiveRule = { rule, uses: 0, hits: 0 }
    rules.push(active)
    return {
      get hits() {
        return active.hits
      },
      remove: () => void rules.splice(rules.indexOf(active), 1),
    }
  }
  options.rules?.forEach(addRule)

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    get connectionCount() {
      return connectionCount
    },
    get maxConcurrent() {
      return maxConcurrent
    },
    rule: addRule,
    requests,
    seen: (when, count = 1) => until(() => requests(when).length >= count),
    settled: () => until(() => running === 0),
    async down() {
      const { port } = server.address() as AddressInfo
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      return async (host = '127.0.0.1') => {
        server.listen(port, host)
        await once(server, 'listening')
      }
    },
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
