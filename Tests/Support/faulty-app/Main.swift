/// An app that breaks the rules of the dialogue in one way, named by its first argument.
///
/// It answers everything as it should until the fault's moment comes: a request named by its second
/// argument, `tap` if absent. Whatever it does, it ends by itself within a minute.
@main
struct Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == Children.threaded { Children.goOnInThread() }
    let moment = arguments.dropFirst().first ?? "tap"
    guard let name = arguments.first, let fault = Fault(rawValue: name) else {
      fatalError("usage: faulty-app FAULT [MOMENT]")
    }
    FaultyApp(fault: fault, moment: moment).run()
  }
}
