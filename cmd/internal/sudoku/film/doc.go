// Package film saves what a terminal showed: as a picture, as an animation, or as a
// recording that terminals play.
//
//	f, err := film.Create("game.gif")
//	err = f.Add(time.Now(), frame)    // after each repaint
//	err = f.Close()                   // now there is a file
//
// The ending of the name chooses the form:
//
//	game.png        a picture of the last frame
//	game-%03d.png   a picture of each frame: game-001.png, game-002.png, …
//	game.gif        an animation; nobody thinks longer than two seconds in it
//	game.cast       an asciicast of version 2, for asciinema
//
// Frames that look like the last one are left out. A film has at most 20,000 frames.
//
// # Implementation
//
// film.go gives the frames of its user to a goroutine, which leaves out those that do not
// show anything new. png.go, gif.go and cast.go are the forms. paint.go draws cells with
// the Go Mono fonts, and lines.go the characters that must touch their neighbours: lines,
// blocks and Braille.
package film
