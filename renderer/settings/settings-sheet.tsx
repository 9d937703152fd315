import { useRef, useState, type ReactNode } from 'react'
import { Form, Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { t } from '../../shared/language/translate.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import { retryHeldUp } from '../actions/transfer-actions.ts'
import { request } from '../bridge.ts'
import { Button } from '../ui/button.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { secretIn } from '../ui/fields/secret-field.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { cx } from '../ui/cx.ts'
import tabs from '../ui/tabs.module.css'
import { AdvancedFields } from './advanced-fields.tsx'
import { BandwidthFields } from './bandwidth-fields.tsx'
import { GeneralFields } from './general-fields.tsx'
import { NetworkFields } from './network-fields.tsx'
import { parseProxyDraft, proxyDraftOf, type ProxyDraft } from './proxy-draft.ts'
import { defaultsOf, isByDefault, type SettingsSection } from './sections.ts'
import styles from './settings-sheet.module.css'
import { TransferFields } from './transfer-fields.tsx'
import { TypedFields, useLeaving, type SettingsTab, type TypedField } from './typed-fields.ts'
import { useNetwork } from './use-network.ts'
import { useSettings, type SettingsEditor } from './use-settings.ts'

export interface SettingsSheetProps {
  /** The tab that it opens on. */
  readonly tab?: SettingsTab
  readonly onClose: () => void
}

/** The settings. Each has a default that works, and applies as soon as it is set; only the proxy has to be saved. */
export function SettingsSheet({ tab: first = 'general', onClose }: SettingsSheetProps) {
  const editor = useSettings()
  const { tab, showTab, fields, leave, escape } = useLeaving(first, onClose)
  const [network, setNetwork] = useNetwork()
  const [typedProxy, setTypedProxy] = useState<ProxyDraft | null>(null)
  const password = useRef<HTMLInputElement>(null)
  const { isBusy, error, submit } = useSubmit(onClose)
  const proxyDraft = typedProxy ?? (network === null ? null : proxyDraftOf(network))
  const { proxy, errors } = proxyDraft === null ? NO_PROXY_YET : parseProxyDraft(proxyDraft)
  const isReady = typedProxy !== null && proxy !== null && !isBusy

  async function save(): Promise<void> {
    const wanted = typedProxy === null ? null : parseProxyDraft(typedProxy, secretIn(password)).proxy
    if (wanted === null) return
    await request('network:set-proxy', wanted)
    retryHeldUp(isOfProxy)
  }

  return (
    <Sheet isForm title={t('settings.title')} width="wide" onClose={escape}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) submit(save)
        }}
      >
        <Tabs
          selectedKey={tab}
          onSelectionChange={(key) => showTab(key as SettingsTab)}
          className={cx(tabs['whole'], styles['panels'])}
        >
          <TabTitles />
          <Panel section="general" editor={editor} fields={fields}>
            <GeneralFields {...editor} />
          </Panel>
          <Panel section="transfers" editor={editor} fields={fields}>
            <TransferFields {...editor} />
          </Panel>
          <Panel section="bandwidth" editor={editor} fields={fields}>
            <BandwidthFields {...editor} />
          </Panel>
          <TabPanel id="network" shouldForceMount className={styles['form'] ?? ''}>
            {network !== null && proxyDraft !== null && (
              <NetworkFields
                {...{ network, errors, password }}
                draft={proxyDraft}
                onChange={setTypedProxy}
                onNetwork={setNetwork}
              />
            )}
          </TabPanel>
          <Panel section="advanced" editor={editor} fields={fields}>
            <AdvancedFields {...editor} />
          </Panel>
        </Tabs>
        <SheetError text={error} />
        <Buttons hasTyped={typedProxy !== null} isReady={isReady} undo={editor.undo} onClose={onClose} onDone={leave} />
      </Form>
    </Sheet>
  )
}

interface PanelProps {
  readonly section: SettingsSection
  readonly editor: SettingsEditor
  readonly fields: Set<TypedField>
  readonly children: ReactNode
}

/** A tab's panel. It stays mounted when another tab is shown, because typed text is only in its fields. */
function Panel({ section, editor: { settings, set }, fields, children }: PanelProps) {
  return (
    <TabPanel id={section} shouldForceMount className={styles['form'] ?? ''}>
      <TypedFields value={{ tab: section, fields }}>{children}</TypedFields>
      <p className={styles['reset']}>
        <Button isDisabled={isByDefault(section, settings)} onPress={() => set(defaultsOf(section))}>
          {t('settings.reset')}
        </Button>
      </p>
    </TabPanel>
  )
}

interface ButtonsProps {
  readonly hasTyped: boolean
  readonly isReady: boolean
  readonly undo: (() => void) | null
  readonly onClose: () => void
  readonly onDone: () => void
}

function Buttons({ hasTyped, isReady, undo, onClose, onDone }: ButtonsProps) {
  return (
    <SheetButtons>
      <span role="status" className={styles['said']}>
        {undo === null ? '' : t('settings.saved')}
      </span>
      {undo !== null && <Button onPress={undo}>{t('common.undo')}</Button>}
      {hasTyped ? (
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" look="solid" isDisabled={!isReady}>
            {t('common.save')}
          </Button>
        </>
      ) : (
        <Button look="solid" onPress={onDone}>
          {t('common.done')}
        </Button>
      )}
    </SheetButtons>
  )
}

const TABS: readonly SettingsTab[] = ['general', 'transfers', 'bandwidth', 'network', 'advanced']

function TabTitles() {
  return (
    <TabList aria-label={t('settings.title')} className={tabs['tabs'] ?? ''}>
      {TABS.map((id) => (
        <Tab key={id} id={id} className={tabs['tab'] ?? ''}>
          {t(`settings.tab.${id}`)}
        </Tab>
      ))}
    </TabList>
  )
}

/** Whether another proxy may help the transfer. */
function isOfProxy({ status, error, wait }: TransferRow): boolean {
  if (status === 'waiting') return wait?.reason === 'proxy' || wait?.reason === 'network'
  return status === 'failed' && error?.code.startsWith('proxy-') === true
}

const NO_PROXY_YET = { proxy: null, errors: {} }
