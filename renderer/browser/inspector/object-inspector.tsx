import { useState } from 'react'
import { t } from '../../../shared/language/translate.ts'
import { describeSize, useSizeOf } from '../../sheet-parts/use-size-of.ts'
import { keysOf } from '../../actions/browse-actions.ts'
import { requestUntil } from '../../bridge.ts'
import { browser, useBrowse } from '../../state/browse-store.ts'
import type { Entry } from '../../state/objects/listing.ts'
import { useSelectedEntries } from '../../state/objects/selection.ts'
import type { BrowseLocation } from '../../state/objects/location.ts'
import { useUi } from '../../state/selectors.ts'
import { NARROW } from '../../state/ui/panes.ts'
import { openDialog } from '../../state/ui/open-dialogs.ts'
import { Button } from '../../ui/button.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { useMedia } from '../../ui/hooks/use-media.ts'
import { Panel, PanelHead, Section } from '../../ui/panel.tsx'
import { formatBytes, formatCount, formatMoment } from '../../words/format.ts'
import { Preview } from '../../preview/preview.tsx'
import { ObjectProperties } from './object-properties.tsx'
import styles from '../../preview/preview.module.css'

/** Facts about the selection in the browser. Sends requests to the service only while it is visible. */
export function ObjectInspector() {
  const isDrawn = useUi((state) => state.drawer === 'inspector')
  const isOpen = useUi((state) => state.inspectorOpen)
  const isNarrow = useMedia(NARROW)
  const location = useBrowse((state) => state.location)
  const selected = useSelectedEntries(browser)
  const [entry, another] = selected
  const isSeen = isDrawn || (isOpen && !isNarrow)
  if (!isSeen || location === null || entry === undefined) return null
  return (
    <Panel label={t('browser.inspector')} isDrawn={isDrawn}>
      {another === undefined ? (
        <One
          key={`${location.placeId} ${location.bucket} ${entry.key} ${entry.etag}`}
          location={location}
          entry={entry}
        />
      ) : (
        <Several location={location} entries={selected} />
      )}
    </Panel>
  )
}

interface OneProps {
  readonly location: BrowseLocation
  readonly entry: Entry
}

function One({ location, entry }: OneProps) {
  const { kind, key, name, modifiedMs } = entry
  const { placeId, bucket } = location
  if (kind === 'bucket') {
    const created = modifiedMs === 0 ? [] : [{ label: t('browser.inspector.created'), value: formatMoment(modifiedMs) }]
    return (
      <>
        <PanelHead title={name}>{t('browser.inspector.bucket')}</PanelHead>
        {created.length > 0 && <FactList facts={created} />}
      </>
    )
  }
  if (kind === 'folder') {
    return (
      <>
        <PanelHead title={name}>{t('browser.inspector.folder')}</PanelHead>
        <Sums key={entry.key} location={location} entries={[entry]} />
      </>
    )
  }
  return (
    <>
      <PanelHead title={name} />
      <Section title={t('browser.preview')}>
        <Preview
          name={name}
          sizeBytes={entry.sizeBytes}
          look={(signal) => requestUntil(signal, 'objects:preview', { placeId, bucket, key })}
        />
      </Section>
      <Section title={t('browser.action.properties')}>
        <ObjectProperties location={location} entry={entry} />
      </Section>
      <p>
        <Button onPress={() => openDialog({ kind: 'link', location, entry })}>{t('browser.action.link')}</Button>
      </p>
    </>
  )
}

interface SeveralProps {
  readonly location: BrowseLocation
  readonly entries: readonly Entry[]
}

/** How many lines are selected, and their total size. */
function Several({ location, entries }: SeveralProps) {
  const isOfBuckets = entries[0]?.kind === 'bucket'
  return (
    <>
      <PanelHead title={t('browser.selected', { count: entries.length })} />
      {/* The key drops the counts of another selection. */}
      {!isOfBuckets && <Sums key={entries.map(({ key }) => key).join('\n')} location={location} entries={entries} />}
    </>
  )
}

/** The total size. Folders are counted only when a person asks, as that takes one request for every 1,000 files. */
function Sums({ location, entries }: SeveralProps) {
  const [counts, setCounts] = useState(false)
  const folders = keysOf(entries, 'folder').length
  const files = entries.filter(({ kind }) => kind === 'object')
  const sizeBytes = files.reduce((sum, entry) => sum + entry.sizeBytes, 0)
  return (
    <Section title={t('browser.inspector.contents')}>
      <FactList
        facts={[
          ...(folders > 0 && entries.length > 1
            ? [{ label: t('browser.inspector.folders'), value: formatCount(folders) }]
            : []),
          ...(files.length > 0
            ? [
                {
                  label: t('browser.files'),
                  value: t('browser.inspector.files', { count: files.length, size: formatBytes(sizeBytes) }),
                },
              ]
            : []),
        ]}
      />
      {counts && <Counted location={location} entries={entries} />}
      {folders > 0 && !counts && (
        <p>
          <Button onPress={() => setCounts(true)}>{t('browser.inspector.count', { count: folders })}</Button>
        </p>
      )}
    </Section>
  )
}

function Counted({ location, entries }: SeveralProps) {
  const size = useSizeOf(location, entries)
  return (
    <p role="status" className={styles['words']}>
      {t('browser.inspector.in-all', { size: describeSize(size) })}
    </p>
  )
}
