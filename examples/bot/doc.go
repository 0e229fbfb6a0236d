// Bot is a chat bot of a pizzeria: a chart that invokes a chart for each dialog, which
// in turn invokes a service of the host.
//
//	go run ./examples/bot
//
// reads lines such as "ann: a pizza, please" and prints what the bot says. The rules
// are in bot.scxml, pizza.scxml and complaint.scxml; the program is bot.go.
//
// # How it works
//
// Each chat is a session that drives itself in real time: a goroutine is in
// [scxml.Session.Run], and what people write is sent from other goroutines. The chart
// ends the session after ten minutes of silence, or when somebody says goodbye. What
// is written afterwards begins a new one.
//
// A dialog is invoked with autoforward: it hears what the chat hears. Dialogs say
// things themselves, so the host listens with [scxml.WithTrace], which reports the
// whole session tree. [scxml.Session.OnSend] would report the chat alone.
//
// To cancel the context of Run ends the chats for good. When the program gets SIGTERM or an interrupt, it
// suspends them instead, inside [scxml.Session.Call], and writes them to the file bot-chats.json. The next
// run continues them.
//
// The kitchen is a Go function, see [scxml.WithInvoker]. It has its own goroutine and
// a context that ends with the dialog. Its result is done.invoke.kitchen, and its error
// error.communication. People cannot send either: see [scxml.WithAccept].
package main
