@rem The command line of the app it lies in. From a script, unlike at a prompt, a console waits for a program with windows.
@"%~dp0..\..\Sluice.exe" %*
