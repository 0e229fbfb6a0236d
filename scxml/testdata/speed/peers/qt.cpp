// Runs the machines that qscxmlc has made, as speed_peers_test.go says.
#include <QtCore>
#include <QtScxml>
#include <chrono>
#include <iostream>
#include <map>
#include <sstream>
#include "charts.h" // made by the test: the machines, and create(name)

int main(int argc, char **argv) {
	QCoreApplication app(argc, argv);
	std::cout << "Qt " << qVersion() << std::endl;
	std::map<std::string, QScxmlStateMachine *> machines;
	for (std::string line; std::getline(std::cin, line);) {
		std::istringstream words(line);
		std::string name, event;
		long n;
		words >> name >> n;
		QStringList events;
		while (words >> event) events << QString::fromStdString(event);
		QScxmlStateMachine *&m = machines[name];
		if (!m) {
			m = create(name);
			m->start();
			QCoreApplication::sendPostedEvents();
		}
		const bool data = name == "guards";
		const auto start = std::chrono::steady_clock::now();
		for (long i = 0; i < n; i++)
			for (const QString &e : events) {
				if (data)
					m->submitEvent(e, QVariantMap{{"n", double(i & 127)}});
				else
					m->submitEvent(e);
				QCoreApplication::sendPostedEvents(); // runs the machine until it waits for an event
			}
		const auto took = std::chrono::steady_clock::now() - start;
		std::cout << std::chrono::nanoseconds(took).count() << " " << m->activeStateNames(false).join(" ").toStdString();
		if (data) std::cout << " " << m->dataModel()->scxmlProperty("count").toString().toStdString();
		std::cout << std::endl;
	}
}
