// The seeds of a repeat, in workers of their own, which have the prompt's engine too: each seed goes
// to one of them and comes back as a record. They end when they have had nothing to do for a while.

const hands = [], seedsLeft = []
const idle = 30000 // ms
const dropped = 1500 // ms that a worker has to give a seed up
let retiring = 0

class Lost extends Error {}

// A Hand is a worker that makes seeds.
class Hand extends Desk {
  async begin() {
    const {file, module} = await compiled(this.name)
    await this.work(file, module)
    give(this, [...files].map(([name, bytes]) => ({name, bytes})))
  }

  hear(id, text, memory) {
    if (id === "") return this.end(new Lost(text))
    this.memory = memory
    if (id === "ready") return this.ready()
    if (id !== "events") this.answered(id, JSON.parse(text))
  }

  end(why) {
    if (hands.includes(this)) hands.splice(hands.indexOf(this), 1)
    super.end(why)
  }
}

// seed takes in a seed that is to be made.
function seed(of) {
  seedsLeft.push(of)
  share()
}

// share gives seeds to workers that are free, or new: the session asks for no more at once than the
// browser has cores.
function share() {
  clearTimeout(retiring)
  while (seedsLeft.length) {
    let hand = hands.find(h => !h.seed)
    if (!hand) {
      hand = new Hand(engineName, null)
      hands.push(hand)
    }
    makeSeed(hand, seedsLeft.shift())
  }
  if (hands.every(h => !h.seed)) retiring = setTimeout(retire, idle)
}

async function makeSeed(hand, {key, text}) {
  const tell = made => { if (desk) desk.ask({do: "made", made: {key, ...made}}).catch(() => {}) }
  hand.seed = key
  let begun = false
  try {
    await hand.start()
    begun = true
    if (hand.seed === key) tell({record: (await hand.ask({do: "seed", text}, e => tell({part: e.part || 0}))).text})
  } catch (err) {
    tell({error: err.message || "no words", lost: !begun || err instanceof Lost})
    if (!begun) hand.end(err)
  }
  hand.seed = null
  share()
}

// drop gives a seed up: a worker that does not hear, in a long iteration, is ended.
function drop(key) {
  const k = seedsLeft.findIndex(s => s.key === key), hand = hands.find(h => h.seed === key)
  if (k >= 0) seedsLeft.splice(k, 1)
  if (!hand) return
  for (const id of hand.asked.keys()) hand.withdraw(id)
  setTimeout(() => { if (hand.seed === key) hand.end(new Lost("it was stopped")) }, dropped)
}

// retire ends all workers.
function retire() {
  seedsLeft.length = 0
  for (const h of [...hands]) h.end(new Lost("there is nothing to do"))
}
