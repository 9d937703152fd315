import { once } from 'node:events'
import * as http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { RESPONSE_FAULTS, changeResponse, filler, type PassingResponse } from './fault-bodies.ts'
import { createPace } from './fault-pace.ts'
import { rangeOf, type Fault, type FaultPoint, type FaultRule } from './fault-rules.ts'

/** One request as the proxy saw it. Byte counts are of bodies and grow while it runs. */
export interface LoggedRequest {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly attempt: number
  readonly startedAtMs: number
  /** Null while it runs. */
  endedAtMs: number | null
  /** Status sent to the client; null when none was. */
  status: number | null
  requestBytes: number
  responseBytes: number
  /** Kinds of the faults that really happened to it. */
  readonly faults: string[]
}

/** A rule and what became of it. */
export interface ActiveRule {
  readonly rule: FaultRule
  uses: number
  hits: number
}

/** Thrown inside an exchange after its connection was cut on purpose or by the client. */
const CUT = new Error('The connection is cut')

/** One request on its way to the target and back. */
export class Exchange {
  readonly #request: http.IncomingMessage
  readonly #response: http.ServerResponse
  readonly #entry: LoggedRequest
  readonly #rules: readonly ActiveRule[]
  readonly #gone: Promise<void>

  constructor(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    entry: LoggedRequest,
    rules: readonly ActiveRule[],
  ) {
    this.#request = request
    this.#response = response
    this.#entry = entry
    this.#rules = rules
    this.#gone = new Promise((resolve) => response.once('close', resolve))
    request.on('error', () => undefined)
    response.on('error', () => undefined)
  }

  async run(target: string | undefined): Promise<void> {
    try {
      await this.#reach('request')
      if (this.#timed().some(({ rule }) => rule.at === 'sent')) {
        await drain(this.#request)
        await this.#reach('sent')
      }
      const response = this.#find('response')
      if (response !== undefined && response.fault.afterTarget !== true) return await this.#respond(response)
      const late = this.#find('arrive-late')
      if (late !== undefined && target !== undefined) return await this.#arriveLate(target, late)
      if (target === undefined) return await this.#send(502, plain({ 'content-length': '0' }, []))
      await this.#forward(target)
    } catch (error) {
      if (error === CUT) return
      this.#response.destroy(error as Error)
    }
  }

  async #forward(target: string): Promise<void> {
    const headers: http.IncomingHttpHeaders = { ...this.#request.headers }
    const ignoreRange = headers.range === undefined ? undefined : this.#find('ignore-range')
    if (ignoreRange !== undefined) {
      this.#hit(ignoreRange.active)
      delete headers.range
    }
    this.#shiftRange(headers)
    const { upstream, answered } = this.#ask(target, headers)
    const response = this.#find('response')
    const dropped = this.#find('drop-response')
    // A client that leaves takes the target's connection with it, unless the target is to finish alone.
    if (response === undefined && dropped === undefined) void this.#gone.then(() => upstream.destroy())
    const sending = this.#sendUpstream(upstream)
    try {
      await Promise.race([answered, sending.then(() => answered)])
      const [incoming] = await answered
      if (response !== undefined || dropped !== undefined) await drain(incoming)
      if (response !== undefined) return await this.#respond(response)
      if (dropped !== undefined) {
        this.#hit(dropped.active)
        this.#cut('reset')
      }
      await this.#reach('response')
      await this.#sendBack(incoming)
      await sending
    } catch (error) {
      upstream.destroy()
      throw error
    }
  }

  /**
   * Asks the target over a connection of its own, for a target may close one that is used again. It is not told so, for its
   * answer would tell the client to close, too.
   */
  #ask(target: string, headers: http.IncomingHttpHeaders) {
    const { hostname, port } = new URL(target)
    const { method, url: path } = this.#entry
    const told = { connection: 'keep-alive', ...headers }
    const upstream = http.request({ agent: false, hostname, port, method, path, headers: told })
    const answered = once(upstream, 'response') as Promise<[http.IncomingMessage]>
    upstream.on('error', () => undefined)
    return { upstream, answered }
  }

  async #arriveLate(target: string, { active, fault }: { active: ActiveRule; fault: Fault & { kind: 'arrive-late' } }) {
    const taken = await buffer(this.#request)
    await active.rule.first?.()
    await fault.at
    const { upstream, answered } = this.#ask(target, this.#entry.headers)
    upstream.end(taken)
    const [incoming] = await answered
    await drain(incoming)
    this.#hit(active)
    this.#cut('reset')
  }

  async #sendUpstream(upstream: http.ClientRequest): Promise<void> {
    const closed = new Promise((resolve) => upstream.once('close', resolve))
    for await (const piece of this.#paced(this.#request, 'requestBytes')) {
      this.#entry.requestBytes += piece.length
      // What a target that has left no longer takes is still read from the client.
      if (!upstream.destroyed && !upstream.write(piece))
        await Promise.race([new Promise((resolve) => upstream.once('drain', resolve)), closed])
    }
    upstream.end()
  }

  #shiftRange(headers: http.IncomingHttpHeaders): void {
    const range = rangeOf({ headers })
    const shift = this.#find('shift-range')
    if (range === null || shift === undefined) return
    this.#hit(shift.active)
    headers.range = `bytes=${range.first + (shift.fault.startBy ?? 0)}-${range.last + (shift.fault.endBy ?? 0)}`
  }

  async #sendBack(incoming: http.IncomingMessage): Promise<void> {
    let response: PassingResponse = plain({ ...incoming.headers }, incoming)
    for (const kind of RESPONSE_FAULTS) {
      for (const { rule, active } of this.#all(kind)) {
        const changed = changeResponse(rule, response)
        if (changed !== null) this.#hit(active)
        response = changed ?? response
      }
    }
    await this.#send(incoming.statusCode ?? 502, response)
  }

  async #respond({ active, fault }: { active: ActiveRule; fault: Fault & { kind: 'response' } }): Promise<void> {
    await active.rule.first?.()
    this.#hit(active)
    const body = Buffer.from(fault.body ?? '')
    const { status, headers, fillerBytes = 0 } = fault
    // Connection: close, because the request's body may not have been read.
    const sent = {
      date: new Date().toUTCString(),
      'content-length': body.length + fillerBytes,
      connection: 'close',
      ...lowerCased(headers ?? {}),
    }
    await this.#send(status, plain(sent, this.#entry.method === 'HEAD' ? [] : [body, ...filler(fillerBytes)]))
  }

  async #send(status: number, { headers, body, isUntilClose }: PassingResponse): Promise<void> {
    const sent = { ...headers }
    for (const { rule, active } of this.#all('headers')) {
      this.#hit(active)
      for (const [name, value] of Object.entries(rule.set)) {
        if (value === null) delete sent[name.toLowerCase()]
        else sent[name.toLowerCase()] = value
      }
    }
    if (this.#timed().some(({ rule }) => rule.at === 'head')) {
      this.#response.socket?.write(`HTTP/1.1 ${status} `)
      await this.#reach('head')
    }
    this.#response.sendDate = false
    if (isUntilClose) this.#response.removeHeader('transfer-encoding')
    this.#response.writeHead(status, sent)
    this.#entry.status = status
    this.#response.flushHeaders()
    await this.#reach('headers')
    for await (const piece of this.#paced(body, 'responseBytes')) {
      await Promise.race([new Promise((resolve) => this.#response.write(piece, resolve)), this.#gone])
      if (this.#response.destroyed) throw CUT
      this.#entry.responseBytes += piece.length
    }
    await this.#reach('end')
    this.#response.end()
    const promised = Number(sent['content-length'] ?? this.#entry.responseBytes)
    if (this.#entry.method !== 'HEAD' && promised > this.#entry.responseBytes) this.#response.socket?.end()
  }

  /** Cuts a body at the offsets where faults wait, lets them happen there, and keeps to the speed limit. */
  async *#paced(
    source: AsyncIterable<Buffer> | readonly Buffer[],
    counter: 'requestBytes' | 'responseBytes',
  ): AsyncGenerator<Buffer> {
    const limit = this.#find('limit')
    const pace = createPace(limit?.fault, () => limit !== undefined && this.#hit(limit.active), this.#gone)
    let offset = 0
    await this.#reachByte(counter, offset)
    for await (const chunk of source) {
      let rest = this.#corrupted(chunk, offset, counter)
      while (rest.length > 0) {
        const next = Math.min(...this.#offsets(counter).filter((at) => at > offset)) - offset
        const piece = rest.subarray(0, Math.min(pace.sliceBytes(offset), next))
        rest = rest.subarray(piece.length)
        await pace.wait(offset, piece.length)
        yield piece
        offset += piece.length
        await this.#reachByte(counter, offset)
      }
    }
  }

  #corrupted(chunk: Buffer, offset: number, counter: 'requestBytes' | 'responseBytes'): Buffer {
    const copy = Buffer.from(chunk)
    for (const { rule, active } of this.#all('corrupt')) {
      const at = 'responseByte' in rule ? rule.responseByte : rule.requestByte
      if ('responseByte' in rule !== (counter === 'responseBytes')) continue
      const index = at - offset
      if (index < 0 || index >= copy.length) continue
      copy[index] = (copy[index] ?? 0) ^ 1
      this.#hit(active)
    }
    return copy
  }

  #offsets(counter: 'requestBytes' | 'responseBytes'): number[] {
    return this.#timed().flatMap(({ rule: { at } }) => {
      const offset = typeof at === 'object' && counter in at ? (at as Record<string, number>)[counter] : undefined
      return offset === undefined ? [] : [offset]
    })
  }

  async #reachByte(counter: 'requestBytes' | 'responseBytes', offset: number): Promise<void> {
    await this.#happen((at) => typeof at === 'object' && (at as Record<string, number>)[counter] === offset)
  }

  async #reach(point: Extract<FaultPoint, string>): Promise<void> {
    await this.#happen((at) => at === point)
  }

  async #happen(isHere: (at: FaultPoint) => boolean): Promise<void> {
    for (const { rule, active } of this.#timed()) {
      if (!isHere(rule.at)) continue
      await active.rule.first?.()
      this.#hit(active)
      if (rule.kind === 'reset' || rule.kind === 'close') this.#cut(rule.kind)
      else if (rule.kind === 'delay') await Promise.race([sleep(rule.delayMs), this.#gone])
      else await Promise.race([rule.until ?? this.#gone, this.#gone])
      if (this.#response.destroyed) throw CUT
    }
  }

  #cut(how: 'reset' | 'close'): never {
    const socket = this.#request.socket
    if (how === 'reset') socket.resetAndDestroy()
    else socket.destroySoon()
    throw CUT
  }

  #timed() {
    return [...this.#all('reset'), ...this.#all('close'), ...this.#all('stall'), ...this.#all('delay')]
  }

  #all<K extends Fault['kind']>(kind: K): { rule: Fault & { kind: K }; active: ActiveRule }[] {
    return this.#rules
      .filter(({ rule }) => rule.fault.kind === kind)
      .map((active) => ({ rule: active.rule.fault as Fault & { kind: K }, active }))
  }

  #find<K extends Fault['kind']>(kind: K): { fault: Fault & { kind: K }; active: ActiveRule } | undefined {
    const found = this.#all(kind)[0]
    return found === undefined ? undefined : { fault: found.rule, active: found.active }
  }

  #hit(active: ActiveRule): void {
    active.hits += 1
    this.#entry.faults.push(active.rule.fault.kind)
  }
}

async function drain(incoming: http.IncomingMessage): Promise<void> {
  incoming.resume()
  await once(incoming, 'end')
}

function plain(headers: http.OutgoingHttpHeaders, body: PassingResponse['body']): PassingResponse {
  return { headers, body, isUntilClose: false }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
