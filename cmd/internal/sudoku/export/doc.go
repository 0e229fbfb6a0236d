// Package export writes a game to a file that the player names, prints it, and reads the
// games of a file. The ending of the name says what the file becomes:
//
//	.csv .json .sdk …   a format of package format, see format.ForFile
//	.txt                rows of digits
//	.png .svg .pdf      a picture, or a page
//
//	err := export.File("~/week.pdf", game, false)
//	if errors.Is(err, fs.ErrExist) {
//		// ask the player, and call it again with true
//	}
package export
