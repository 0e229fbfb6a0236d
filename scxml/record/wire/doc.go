// Package wire has the JSON lines by which a program drives a session, both ends
// of them: what scxmlrun's PROTOCOL.md describes, over any [io.Reader] and [io.Writer].
//
// The program that runs the session reads commands and writes records:
//
//	w := wire.NewWriter(os.Stdout)
//	for line := range wire.Lines(os.Stdin) {
//		cmd := line.Command() // cmd.Err says why it is of no use
//		…
//		err := w.Write(&rec)
//	}
//
// The client writes commands, with [Command.AppendJSON], and reads records:
//
//	r := wire.NewReader(stdout)
//	for {
//		rec, err := r.Read() // io.EOF at the end
//		…
//	}
//
// Lines are bounded by [MaxLine], values by [datamodel.MaxDepth]; what is longer or
// deeper is an error of that line, and the next line is read all the same.
package wire

// Version is the version of the protocol.
const Version = 1
