import { useRef, useState } from 'react'
import { Form, Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import { retryHeldUp } from '../actions/transfer-actions.ts'
import { request } from '../bridge.ts'
import { appStore, changeSettings, useApp } from '../state/app-store.ts'
import { FolderField } from '../sheet-parts/folder-field.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { secretIn } from '../ui/secret-field.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import tabs from '../ui/tabs.module.css'
import { Certificates } from './certificates.tsx'
import { parseProxyDraft, proxyDraftOf, type ProxyDraft } from './proxy-draft.ts'
import { ProxyFields } from './proxy-fields.tsx'
import { GeneralFields } from './general-fields.tsx'
import { draftOf, parseDraft, type ParsedDraft, type SettingsDraft } from './settings-draft.ts'
import styles from './settings-sheet.module.css'
import { useNetwork } from './use-network.ts'

export interface SettingsSheetProps {
  /** The tab that it opens on. */
  readonly tab?: SettingsTab
  readonly onClose: () => void
}

export type SettingsTab = 'general' | 'transfers' | 'network'

/** The few settings there are; everything has a default that works. */
export function SettingsSheet({ tab = 'general', onClose }: SettingsSheetProps) {
  const [typedDraft, setTypedDraft] = useState<SettingsDraft | null>(null)
  const [kept] = useState(() => draftOf(appStore.getState().settings))
  const draft = typedDraft ?? kept
  const [network, setNetwork] = useNetwork()
  const [typedProxy, setTypedProxy] = useState<ProxyDraft | null>(null)
  const password = useRef<HTMLInputElement>(null)
  const { isBusy, error, submit } = useSubmit(onClose)
  const { settings, errors } = parseDraft(draft)
  const proxyDraft = typedProxy ?? (network === null ? null : proxyDraftOf(network))
  const { proxy, errors: proxyErrors } = proxyDraft === null ? NO_PROXY_YET : parseProxyDraft(proxyDraft)
  const hasTyped = typedDraft !== null || typedProxy !== null
  const isReady = settings !== null && (typedProxy === null || proxy !== null) && !isBusy

  async function save(): Promise<void> {
    const wanted = typedProxy === null ? null : parseProxyDraft(typedProxy, secretIn(password)).proxy
    if (wanted !== null) {
      await request('network:set-proxy', wanted)
      retryHeldUp(isOfProxy)
    }
    if (typedDraft !== null && settings !== null) await changeSettings(settings)
  }

  return (
    <Sheet isForm title="Settings" width="wide" onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) submit(save)
        }}
      >
        <Tabs defaultSelectedKey={tab} className={tabs['whole'] ?? ''}>
          <TabTitles />
          <TabPanel id="general" className={styles['form'] ?? ''}>
            <GeneralFields />
          </TabPanel>
          <TabPanel id="transfers" className={styles['form'] ?? ''}>
            <TransferFields draft={draft} errors={errors} onChange={setTypedDraft} />
          </TabPanel>
          {/* It stays when another tab is shown: the password is in its field alone. */}
          <TabPanel id="network" shouldForceMount className={styles['form'] ?? ''}>
            {network !== null && proxyDraft !== null && (
              <>
                <ProxyFields
                  draft={proxyDraft}
                  errors={proxyErrors}
                  password={password}
                  hasPassword={network.hasPassword && proxyDraft.host === network.proxy.host}
                  onChange={(changes) => setTypedProxy({ ...proxyDraft, ...changes })}
                />
                <Certificates state={network} onChange={setNetwork} />
              </>
            )}
          </TabPanel>
        </Tabs>
        <SheetError text={error} />
        <Buttons hasTyped={hasTyped} isReady={isReady} onClose={onClose} />
      </Form>
    </Sheet>
  )
}

interface ButtonsProps {
  readonly hasTyped: boolean
  readonly isReady: boolean
  readonly onClose: () => void
}

/** What is chosen counts at once; only what is typed is to be saved. */
function Buttons({ hasTyped, isReady, onClose }: ButtonsProps) {
  return (
    <SheetButtons>
      {hasTyped ? (
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="solid" isDisabled={!isReady}>
            Save
          </Button>
        </>
      ) : (
        <Button look="solid" onPress={onClose}>
          Done
        </Button>
      )}
    </SheetButtons>
  )
}

function TabTitles() {
  return (
    <TabList aria-label="Settings" className={tabs['tabs'] ?? ''}>
      <Tab id="general" className={tabs['tab'] ?? ''}>
        General
      </Tab>
      <Tab id="transfers" className={tabs['tab'] ?? ''}>
        Transfers
      </Tab>
      <Tab id="network" className={tabs['tab'] ?? ''}>
        Network
      </Tab>
    </TabList>
  )
}

/** What another proxy may help. */
function isOfProxy({ status, error, wait }: TransferRow): boolean {
  if (status === 'waiting') return wait?.reason === 'proxy' || wait?.reason === 'network'
  return status === 'failed' && error?.code.startsWith('proxy-') === true
}

const NO_PROXY_YET = { proxy: null, errors: {} }

interface TransferFieldsProps {
  readonly draft: SettingsDraft
  readonly errors: ParsedDraft['errors']
  readonly onChange: (draft: SettingsDraft) => void
}

function TransferFields({ draft, errors, onChange }: TransferFieldsProps) {
  const systemFolder = useApp((state) => state.info?.downloadsFolder ?? '')
  const set = (changes: Partial<SettingsDraft>): void => onChange({ ...draft, ...changes })
  return (
    <>
      <div className={styles['pair']}>
        <TextField
          label="Transfers at a time"
          value={draft.activeTransfers}
          hint="Fewer on a slow connection."
          error={errors.activeTransfers ?? null}
          onChange={(activeTransfers) => set({ activeTransfers })}
        />
        <TextField
          label="Connections for each"
          value={draft.connectionsPerTransfer}
          placeholder="Automatic"
          hint="Leave empty to choose automatically."
          error={errors.connectionsPerTransfer ?? null}
          onChange={(connectionsPerTransfer) => set({ connectionsPerTransfer })}
        />
      </div>
      <TextField
        label="Speed limit in MB/s"
        value={draft.limit}
        placeholder="Off"
        hint="For all transfers together. Leave empty for no limit."
        error={errors.limit ?? null}
        onChange={(limit) => set({ limit })}
      />
      <div className={styles['pair']}>
        <TextField
          label="Upload limit in MB/s"
          value={draft.uploadLimit}
          placeholder="All"
          error={errors.uploadLimit ?? null}
          onChange={(uploadLimit) => set({ uploadLimit })}
        />
        <TextField
          label="Download limit in MB/s"
          value={draft.downloadLimit}
          placeholder="All"
          error={errors.downloadLimit ?? null}
          onChange={(downloadLimit) => set({ downloadLimit })}
        />
      </div>
      <FolderField
        label="Save downloads to"
        folder={draft.downloadsFolder ?? systemFolder}
        onChange={(downloadsFolder) => set({ downloadsFolder })}
      />
    </>
  )
}
