; Puts the command line's folder on the PATH: the person's own, or everybody's if Sluice is installed for everybody.

!include WinMessages.nsh

; A PATH may be longer than an NSIS string, and must not be written back cut off, so it stays in system memory. All
; other entries are written back unchanged, including %variables%. `action`: add (unless it is there already) or remove.
!macro changePath action
  System::Store S
  ${if} $installMode == "all"
    StrCpy $0 -2147483646 ; HKEY_LOCAL_MACHINE
    StrCpy $1 "SYSTEM\CurrentControlSet\Control\Session Manager\Environment"
  ${else}
    StrCpy $0 -2147483647 ; HKEY_CURRENT_USER
    StrCpy $1 "Environment"
  ${endIf}
  StrCpy $2 "$INSTDIR\resources\bin"
  StrCpy $R0 ";$2;"
  ; $3: type, $4: bytes. RRF_RT_ANY | RRF_NOEXPAND
  System::Call 'advapi32::RegGetValueW(p r0, w r1, w "Path", i 0x1000FFFF, *i 0 r3, p 0, *i 0 r4) i .r5'
  ${if} $5 == 2 ; ERROR_FILE_NOT_FOUND: there is none
    StrCpy $3 2 ; REG_EXPAND_SZ
    StrCpy $4 0
    StrCpy $5 0
  ${endIf}
  ${if} $5 == 0
  ${andIf} $3 <= 2
    StrLen $5 $R0
    IntOp $5 $5 * 2
    IntOp $5 $5 + $4
    IntOp $5 $5 + 16
    ; $6: the PATH, $7: the same between semicolons, where $8 is this folder. GPTR: all zero
    System::Call 'kernel32::GlobalAlloc(i 0x40, p r5) p .r6'
    System::Call 'kernel32::GlobalAlloc(i 0x40, p r5) p .r7'
    System::Call 'advapi32::RegGetValueW(p r0, w r1, w "Path", i 0x1000FFFF, p 0, p r6, *i r5) i .r9'
    ; A PATH that can't be read, or has grown meanwhile, is not overwritten.
    ${if} $9 == 0
    ${orIf} $4 == 0
      System::Call 'kernel32::lstrcpyW(p r7, w ";")'
      System::Call 'kernel32::lstrcatW(p r7, p r6)'
      System::Call 'kernel32::lstrcatW(p r7, w ";")'
      System::Call 'shlwapi::StrStrIW(p r7, w R0) p .r8'
      !insertmacro changePath_${action}
    ${endIf}
    System::Call 'kernel32::GlobalFree(p r6)'
    System::Call 'kernel32::GlobalFree(p r7)'
  ${endIf}
  System::Store L
!macroend

!macro changePath_add
  ${if} $8 == 0
    ${if} $4 > 2
      System::Call 'kernel32::lstrcatW(p r6, w ";")'
    ${endIf}
    System::Call 'kernel32::lstrcatW(p r6, w r2)'
    !insertmacro writePath
  ${endIf}
!macroend

!macro changePath_remove
  ${if} $8 != 0
    ; The text after it, from its second semicolon on, replaces it.
    StrLen $4 $R0
    IntOp $4 $4 - 1
    IntOp $4 $4 * 2
    System::Int64Op $8 + $4
    Pop $9
    System::Call 'kernel32::lstrlenW(p r9) i .r4'
    IntOp $4 $4 + 1
    IntOp $4 $4 * 2
    System::Call 'kernel32::RtlMoveMemory(p r8, p r9, p r4)'
    ; Everything except the first and the last semicolon.
    System::Call 'kernel32::lstrlenW(p r7) i .r4'
    ${if} $4 > 2
      System::Int64Op $7 + 2
      Pop $9
      IntOp $4 $4 - 1
      System::Call 'kernel32::lstrcpynW(p r6, p r9, i r4)'
      !insertmacro writePath
    ${elseIf} $installMode == "all"
      DeleteRegValue HKLM "$1" "Path"
    ${else}
      DeleteRegValue HKCU "$1" "Path"
    ${endIf}
  ${endIf}
!macroend

; Programs started from now on get the new PATH, once the desktop has been notified.
!macro writePath
  System::Call 'kernel32::lstrlenW(p r6) i .r4'
  IntOp $4 $4 + 1
  IntOp $4 $4 * 2
  System::Call 'advapi32::RegSetKeyValueW(p r0, w r1, w "Path", i r3, p r6, i r4)'
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
!macroend
