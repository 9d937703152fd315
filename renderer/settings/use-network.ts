import { useEffect, useState } from 'react'
import type { NetworkState } from '../../shared/ipc/network-requests.ts'
import { request } from '../bridge.ts'
import { run } from '../state/ui/messages.ts'

/** What main keeps of the network; null until it has told. The function takes what it answers to a change. */
export function useNetwork(): readonly [NetworkState | null, (changed: NetworkState) => void] {
  const [state, setState] = useState<NetworkState | null>(null)
  useEffect(() => {
    run(request('network:get', null).then(setState))
  }, [])
  return [state, setState]
}
