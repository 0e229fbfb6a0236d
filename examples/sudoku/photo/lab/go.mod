module github.com/scxmlrun/scxmlrun/examples/sudoku/photo/lab

go 1.26.0

require (
	github.com/scxmlrun/scxmlrun v0.0.0
	golang.org/x/image v0.47.0
)

require (
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/scxmlrun/scxmlrun => ../../../..
