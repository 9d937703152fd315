import { net, session, type ClientRequest, type IncomingMessage } from 'electron'
import { once } from 'node:events'
import type { AppNetwork } from '../services/network/app-network.ts'
import type { UpdateLine } from '../services/updates/fetch-list.ts'
import { openProxySignIn, proxyConfig } from '../services/updates/proxy-sign-in.ts'

/**
 * The connection by which updates are checked for and downloaded, in a session without a page that keeps nothing.
 * electron-updater uses a session of this name.
 */
export function updateLine(network: Pick<AppNetwork, 'state' | 'routeTo'>): UpdateLine {
  const ofUpdates = session.fromPartition('electron-updater', { cache: false })
  return {
    signIn: async (url) => {
      const signIn = await openProxySignIn(network, url)
      await ofUpdates.setProxy(await proxyConfig(network, network.state().proxy.mode, url))
      // A sign-in that was accepted once would be used again, whatever is set now.
      await ofUpdates.clearAuthCache()
      return signIn
    },
    get: async (url, signIn, signal) => {
      const request = net.request({ url, session: ofUpdates, credentials: 'omit', redirect: 'error' })
      request.on('login', signIn.answer)
      signal.addEventListener('abort', () => request.abort(), { once: true })
      const answer = await answerTo(request, signal)
      return { status: answer.statusCode, body: answer as IncomingMessage & AsyncIterable<Uint8Array> }
    },
  }
}

async function answerTo(request: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const answered = once(request, 'response', { signal })
  request.end()
  const [answer] = (await answered) as [IncomingMessage]
  return answer
}
