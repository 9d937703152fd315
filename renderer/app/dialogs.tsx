import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { openQuestion } from '../state/open-question.ts'
import { queueStore } from '../state/queue/queue-store.ts'
import { useUi } from '../state/selectors.ts'
import { closeQuestion, hasSheet } from '../state/ui/open-dialogs.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import type { Question } from '../state/ui/dialog.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons } from '../ui/overlays/sheet.tsx'
import { useFocusBack } from '../ui/hooks/use-focus-back.ts'
import { OpenSheet } from './late.ts'

/** The open sheet, if any, and above it the open question. */
export function Dialogs() {
  const question = useUi((state) => state.question)
  const dialog = useUi((state) => state.dialog)
  useFocusBack(!useUi(hasSheet))
  return (
    <>
      <Suspense>{dialog.kind !== 'none' && <OpenSheet key={numberOf(dialog)} />}</Suspense>
      {question !== null && <ConfirmSheet key={numberOf(question)} question={question} />}
    </>
  )
}

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** A key for a sheet, so that a sheet never keeps what was typed in an earlier one of the same kind. */
function numberOf(opened: object): number {
  const number = numbers.get(opened) ?? (lastNumber += 1)
  numbers.set(opened, number)
  return number
}

/** Asks before something is lost. The safe answer has focus. */
function ConfirmSheet({ question: asked }: { readonly question: Question }) {
  const [open] = useState(() => openQuestion(asked, queueStore.subscribe))
  const latest = useSyncExternalStore(open.follow, open.latest)
  // What is at stake changes while transfers go on. If nothing is left to ask about, the question closes.
  useEffect(() => {
    if (latest === null && uiStore.getState().question === asked) closeQuestion()
  }, [latest, asked])
  const question = latest ?? asked
  const answer = (act: (question: Question) => void) => () => {
    const now = open.now()
    closeQuestion()
    if (now !== null) act(now)
  }
  return (
    <Sheet isAlert title={question.title} onClose={closeQuestion}>
      <p>{question.body}</p>
      <SheetButtons>
        <Button look="danger" onPress={answer((now) => now.onConfirm())}>
          {question.confirmLabel}
        </Button>
        {/* Stays if the question had it at first, so that nothing moves under the pointer. */}
        {asked.other !== undefined && (
          <Button isDisabled={question.other === undefined} onPress={answer((now) => now.other?.onPress())}>
            {asked.other.label}
          </Button>
        )}
        <Button takesFocus look="solid" onPress={closeQuestion}>
          {question.safeLabel}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}
