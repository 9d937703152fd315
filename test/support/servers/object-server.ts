import { startScript, type ScriptedResponse, type ScriptedServer, type TakenRequest } from './scripted-server.ts'

/** A service that has the same object under every key, gives ranges of it and asks for no key; ends with the test. */
export function startObject(content: Buffer): Promise<ScriptedServer> {
  return startScript([giveObject(content)])
}

/** Answers with an object, or the range of it that is asked for. */
export function giveObject(content: Buffer): (request: Pick<TakenRequest, 'headers'>) => ScriptedResponse {
  return ({ headers }) => {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    const end = last ? Math.min(Number(last) + 1, content.length) : content.length
    const facts = { etag: '"several-2"', 'accept-ranges': 'bytes' }
    if (first === undefined) return { status: 200, headers: facts, body: content }
    return {
      status: 206,
      headers: { ...facts, 'content-range': `bytes ${first}-${end - 1}/${content.length}` },
      body: content.subarray(Number(first), end),
    }
  }
}
