// All sheets, in a separate chunk: the window draws its list before it needs one.

import { assertNever } from '../../shared/assert.ts'
import { DeleteSheet } from '../browser/delete-sheet.tsx'
import { DownloadPickedSheet } from '../downloads/download-picked-sheet.tsx'
import { DownloadSheet } from '../downloads/download-sheet.tsx'
import { LinksSheet } from '../downloads/links-sheet.tsx'
import { CertificateSheet } from '../sheet-parts/certificate-sheet.tsx'
import { LinkSheet } from '../browser/link-sheet.tsx'
import { MoveSheet } from '../browser/moving/move-sheet.tsx'
import { RenameSheet } from '../browser/moving/rename-sheet.tsx'
import { NewBucketSheet } from '../browser/new-bucket-sheet.tsx'
import { NewFolderSheet } from '../browser/new-folder-sheet.tsx'
import { PreviewSheet } from '../preview/preview-sheet.tsx'
import { BucketSheet } from '../sheet-parts/bucket-sheet.tsx'
import { PlaceSheet } from '../places/place-sheet.tsx'
import { SettingsSheet } from '../settings/settings-sheet.tsx'
import { TakenSheet } from '../uploads/taken-sheet.tsx'
import { UploadSheet } from '../uploads/upload-sheet.tsx'
import { EarlierUploadSheet } from '../uploads/earlier-upload-sheet.tsx'
import { DecideSheet } from '../queue/decide-sheet.tsx'
import { LimitSheet } from '../queue/limit-sheet.tsx'
import { RelinkSheet } from '../queue/relink-sheet.tsx'
import { PartsListSheet } from '../uploads/parts-list-sheet.tsx'
import { UnfinishedSheet } from '../uploads/unfinished-sheet.tsx'
import { AboutSheet } from './about-sheet.tsx'
import { ReportSheet } from './report-sheet.tsx'
import { ShortcutsSheet } from './shortcuts-sheet.tsx'
import { useUi } from '../state/selectors.ts'
import { closeDialog, openDialog } from '../state/ui/open-dialogs.ts'

const CLOSED = { kind: 'none' } as const

/** The sheet of the open dialog. */
export function OpenSheet() {
  const dialog = useUi((state) => state.dialog)
  switch (dialog.kind) {
    case 'none':
      return null
    case 'download':
      return <DownloadSheet dialog={dialog} onClose={closeDialog} />
    case 'download-picked':
      return <DownloadPickedSheet location={dialog.location} entries={dialog.entries} onClose={closeDialog} />
    case 'preview':
      return <PreviewSheet first={dialog.file} onClose={closeDialog} />
    case 'link':
      return <LinkSheet location={dialog.location} entry={dialog.entry} onClose={closeDialog} />
    case 'delete':
      return <DeleteSheet location={dialog.location} entries={dialog.entries} onClose={closeDialog} />
    case 'rename':
      return <RenameSheet location={dialog.location} entry={dialog.entry} onClose={closeDialog} />
    case 'move':
      return <MoveSheet dialog={dialog} onClose={closeDialog} />
    case 'new-folder':
      return <NewFolderSheet location={dialog.location} onClose={closeDialog} />
    case 'new-bucket':
      return <NewBucketSheet place={dialog.place} onClose={closeDialog} />
    case 'upload':
      return (
        <UploadSheet paths={dialog.paths} location={dialog.location} areFiles={dialog.areFiles} onClose={closeDialog} />
      )
    case 'taken':
      return <TakenSheet to={dialog.to} taken={dialog.taken} onClose={closeDialog} />
    case 'add-place':
      return <PlaceSheet known={dialog.place} like={dialog.like} onClose={() => openDialog(dialog.back ?? CLOSED)} />
    case 'settings':
      return <SettingsSheet tab={dialog.tab ?? 'general'} onClose={closeDialog} />
    case 'certificate':
      return <CertificateSheet subject={dialog.subject} onClose={closeDialog} />
    case 'links':
      return <LinksSheet dialog={dialog} onClose={closeDialog} />
    case 'relink':
      return <RelinkSheet id={dialog.id} onClose={closeDialog} />
    case 'choose-bucket':
      return <BucketSheet dialog={dialog} onClose={closeDialog} />
    case 'earlier-upload':
      return <EarlierUploadSheet id={dialog.id} onClose={closeDialog} />
    case 'decide':
      return <DecideSheet id={dialog.id} onClose={closeDialog} />
    case 'unfinished':
      return <UnfinishedSheet place={dialog.place} bucket={dialog.bucket} onClose={closeDialog} />
    case 'parts-list': {
      const [list, ...others] = dialog.lists
      if (list === undefined) return null
      const goOn = () => {
        if (others.length > 0) openDialog({ kind: 'parts-list', lists: others })
        else closeDialog()
      }
      return <PartsListSheet list={list} onClose={goOn} />
    }
    case 'limit':
      return <LimitSheet ids={dialog.ids} onClose={closeDialog} />
    case 'shortcuts':
      return <ShortcutsSheet onClose={closeDialog} />
    case 'report':
      return <ReportSheet onClose={closeDialog} />
    case 'about':
      return <AboutSheet onClose={closeDialog} />
    default:
      return assertNever(dialog)
  }
}
