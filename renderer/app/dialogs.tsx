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

/** The sheet that is open, if one is, and above it what is asked. */
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

/** What was chosen or typed in one sheet is never that of the next, though both may be of a kind. */
function numberOf(opened: object): number {
  const number = numbers.get(opened) ?? (lastNumber += 1)
  numbers.set(opened, number)
  return number
}

/** Asks before something is lost. The safe answer has focus. */
function ConfirmSheet({ question: asked }: { readonly question: Question }) {
  const [open] = useState(() => openQuestion(asked, queueStore.subscribe))
  const latest = useSyncExternalStore(open.follow, open.latest)
  // What is at stake changes while transfers go on: a question about nothing goes away.
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
        {/* It stays where it was asked with it, so that nothing moves under the pointer. */}
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
