; What the installer does in addition to electron-builder's own steps.

!include "${__FILEDIR__}/command-path.nsh"

; Registers the app's links, and offers it for files under "Open with". Default apps stay the same.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\sluice" "" "URL:Sluice link"
  WriteRegStr SHELL_CONTEXT "Software\Classes\sluice" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\sluice\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sluice.Transfer" "" "Partial download or parts list"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sluice.Transfer\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sluice.Transfer\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\.part\OpenWithProgids" "Sluice.Transfer" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Sluice.Transfer" ""
  !insertmacro changePath add
!macroend

; An update also runs this, and must leave everything. What the app itself registered is the person's own, whoever
; Sluice is installed for: its start at login, installers of updates, and sluice:// by versions before 0.2.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    SetShellVarContext current
    DeleteRegKey HKCU "Software\Classes\sluice"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "app.sluice.desktop"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "app.sluice.desktop"
    RMDir /r "$LOCALAPPDATA\sluice-updater"
    MessageBox MB_OK|MB_ICONINFORMATION "Sluice is removed. Places, settings and unfinished transfers stay in $APPDATA\Sluice, those of the command line in $LOCALAPPDATA\Sluice; delete these folders to remove them too." /SD IDOK
    ${if} $installMode == "all"
      SetShellVarContext all
    ${endIf}
    DeleteRegKey SHELL_CONTEXT "Software\Classes\sluice"
    DeleteRegKey SHELL_CONTEXT "Software\Classes\Sluice.Transfer"
    DeleteRegValue SHELL_CONTEXT "Software\Classes\.part\OpenWithProgids" "Sluice.Transfer"
    DeleteRegValue SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Sluice.Transfer"
    !insertmacro changePath remove
  ${endIf}
!macroend
