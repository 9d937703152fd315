import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { assertNever } from '../../shared/assert.ts'
import type { EnqueueDownloads } from '../../shared/ipc/ipc-contract.ts'
import type { CertificateSubject } from '../../shared/ipc/network-requests.ts'
import { MAX_OPENED_LINKS } from '../../shared/limits.ts'
import { compareNames } from '../../shared/name-order.ts'
import type { Place, PlaceId } from '../../shared/place/place.ts'
import { downloadTogether } from '../actions/report.ts'
import type { Resolved } from '../actions/links/resolve-links.ts'
import { AddButtons, type AddTo } from '../sheet-parts/add-buttons.tsx'
import { CertificateSheet } from '../sheet-parts/certificate-sheet.tsx'
import { DestinationFields } from '../sheet-parts/destination-fields.tsx'
import { spaceNeeded } from '../sheet-parts/disk-space.ts'
import { useFreeSpace } from '../sheet-parts/use-free-space.ts'
import { downloadsFolderOf, useApp } from '../state/app-store.ts'
import { ANYWHERE, type LinksDialog, type LinksLeftOut } from '../state/ui/dialog.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/fields/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { LinkRow } from './link-row.tsx'
import styles from './links-sheet.module.css'
import { useDestination } from './use-destination.ts'
import { useResolvedLinks } from './use-resolved-links.ts'

export interface LinksSheetProps {
  readonly dialog: LinksDialog
  readonly onClose: () => void
}

/** Shows what links lead to, and where it would go. Nothing is written before “Download” is pressed. */
export function LinksSheet({ dialog, onClose }: LinksSheetProps) {
  const { links, leftOut = {} } = dialog
  const [placeId, setPlaceId] = useState<string | null>(null)
  const [certificate, setCertificate] = useState<CertificateSubject | null>(null)
  const { isBusy, error, submit } = useSubmit(onClose)
  const home = dialog.typed?.home ?? null
  const { resolved, wanted, factsOf, isLeftOut, ...asked } = useResolvedLinks(links, placeId, home)
  const defaultFolder = useApp((state) => downloadsFolderOf(state, onlyPlaceOf(wanted.flatMap(sourceOf))))
  const { destination, saving, setDestination, backToDefault, keepFolder } = useDestination(
    dialog.destination ?? ANYWHERE,
    defaultFolder,
  )
  const room = spaceNeeded(useFreeSpace(saving.directory), asked)
  const choices = placesOf(resolved)
  const isTyped = dialog.typed !== undefined
  const leave = isTyped ? () => backToText({ ...dialog, destination }) : onClose

  function start(adding: Parameters<AddTo>[0]): Promise<void> {
    keepFolder()
    return downloadTogether(wanted.flatMap(sourceOf).map((source) => ({ source, ...saving, ...adding })))
  }

  return (
    <>
      <Sheet title={titleFor(links.length, home)} width="wide" onClose={leave}>
        <ul className={styles['list']} aria-label={t('downloads.links.what')}>
          {links.map((link, index) => (
            <LinkRow
              key={link}
              link={link}
              resolved={resolved[index]}
              facts={factsOf(resolved[index])}
              isLeftOut={isLeftOut(resolved[index])}
              onShowCertificate={(origin) => setCertificate({ kind: 'origin', origin })}
            />
          ))}
        </ul>
        <LeftOut {...leftOut} />
        {choices.length > 1 && (
          <Choice
            label={t('downloads.links.from')}
            value={placeId ?? choices[0]?.value ?? ''}
            options={choices}
            onChange={(chosen) => setPlaceId(chosen)}
          />
        )}
        <DestinationFields destination={saving} onUseDefault={backToDefault} room={room} onChange={setDestination} />
        <SheetError text={error} />
        <SheetButtons areTogether>
          <OtherWays
            dialog={{ ...dialog, destination }}
            lacksPlace={resolved.some(({ kind }) => kind === 'no-place')}
            onClose={onClose}
          />
          {/* For links from outside, “Cancel” has focus, so that a stray key press can't start a download. */}
          <Button takesFocus={!isTyped} onPress={leave}>
            {t(isTyped ? 'downloads.links.back' : 'common.cancel')}
          </Button>
          <AddButtons
            label={startLabel(links.length - resolved.filter(isLeftOut).length, links.length)}
            takesFocus={isTyped}
            isDisabled={wanted.length === 0 || asked.isAsking || isBusy || saving.directory === ''}
            onAdd={(adding) => submit(() => start(adding))}
          />
        </SheetButtons>
      </Sheet>
      {certificate !== null && (
        <CertificateSheet subject={certificate} onTrusted={asked.askAgain} onClose={() => setCertificate(null)} />
      )}
    </>
  )
}

function LeftOut({ noLinks = 0, tooMany = 0 }: LinksLeftOut) {
  return (
    <>
      {noLinks > 0 && <p role="status">{t('downloads.links.left-out', { count: noLinks })}</p>}
      {tooMany > 0 && <p role="status">{t('downloads.links.too-many', { count: tooMany, most: MAX_OPENED_LINKS })}</p>}
    </>
  )
}

interface OtherWaysProps extends LinksSheetProps {
  readonly lacksPlace: boolean
}

/** What can be done with the links other than downloading them. */
function OtherWays({ dialog, lacksPlace, onClose }: OtherWaysProps) {
  const { uploadInstead } = dialog
  return (
    <>
      {uploadInstead !== undefined && (
        <Button
          onPress={() => {
            onClose()
            uploadInstead()
          }}
        >
          {t('downloads.links.upload-list')}
        </Button>
      )}
      {lacksPlace && <Button onPress={() => openDialog({ kind: 'add-place', back: dialog })}>{t('places.add')}</Button>}
    </>
  )
}

/** Returns to the sheet in which the links were typed, with the text that was typed. */
function backToText({ typed, destination = ANYWHERE }: LinksDialog): void {
  openDialog({ kind: 'download', text: typed?.text ?? '', destination })
}

/** The label of the start button, which says if some links are left out. */
function startLabel(count: number, total: number): string {
  if (count > 0 && count < total) return t('downloads.links.some', { count, total })
  return count > 1 ? t('downloads.links.items', { count }) : t('downloads.download')
}

function titleFor(count: number, home: Place | null): string {
  return home === null ? t('downloads.links.title', { count }) : t('downloads.links.items', { count })
}

/** The places to choose from, if several have the bucket. */
function placesOf(resolved: readonly Resolved[]) {
  const all = resolved.flatMap((each) => (each.kind === 'target' || each.kind === 'folder' ? each.places : []))
  const byId = new Map(all.map(({ id, name }) => [id, { value: id, label: name }]))
  return [...byId.values()].sort((a, b) => compareNames(a.label, b.label))
}

/** The place that everything comes from; null when there is no single one. */
function onlyPlaceOf(sources: readonly EnqueueDownloads['source'][]): PlaceId | null {
  const [first = null, ...others] = new Set(sources.map((source) => (source.kind === 'links' ? null : source.placeId)))
  return others.length === 0 ? first : null
}

function sourceOf(resolved: Resolved): readonly EnqueueDownloads['source'][] {
  switch (resolved.kind) {
    case 'target': {
      const { target } = resolved
      if (target.kind === 'link') return [{ kind: 'links', urls: [target.url] }]
      return [{ kind: 'objects', placeId: target.placeId, bucket: target.bucket, keys: [target.key] }]
    }
    case 'folder':
      return resolved.places
        .slice(0, 1)
        .map(({ id }) => ({ kind: 'folders', placeId: id, bucket: resolved.bucket, prefixes: [resolved.prefix] }))
    case 'no-place':
    case 'refused':
      return []
    default:
      return assertNever(resolved)
  }
}
