// Package wire has both ends of the JSON lines by which a program drives a session. It implements
// scxmlrun's PROTOCOL.md over any [io.Reader] and [io.Writer].
//
// The program that runs the session reads commands and writes records:
//
//	w := wire.NewWriter(os.Stdout)
//	for line := range wire.Lines(os.Stdin) {
//		cmd := line.Command() // cmd.Err says why it is not a command
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
// [MaxLine] bounds lines, and [datamodel.MaxDepth] bounds values. A line beyond these bounds is an
// error; the next line can still be read.
package wire

// Version is the version of the protocol.
const Version = 1
