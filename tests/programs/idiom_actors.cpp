// An actor system as people write it in C++20: mailboxes with condition_variable_any, a jthread and a
// stop_token for each actor, messages as std::variant, answers through std::promise. With "deadlock" two
// actors ask each other and wait for the answer inside their handlers.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// run: -s preempt -b 1 -n 30000
// expect: no finding
// run: -s random -n 200
// expect: no finding
// run: --isolate fork -s random -n 20
// expect: no finding
// run: -s random -n 500 -- deadlock
// expect: finding deadlock
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <variant>

template <class Message> class Mailbox {
    std::mutex mutex_;
    std::condition_variable_any ready_;
    std::deque<Message> messages_;

public:
    void put(Message message)
    {
        {
            std::scoped_lock lock(mutex_);
            messages_.push_back(std::move(message));
        }
        ready_.notify_one();
    }

    std::optional<Message> take(std::stop_token stop)
    {
        std::unique_lock lock(mutex_);
        if (!ready_.wait(lock, stop, [this] { return !messages_.empty(); }))
            return std::nullopt;
        Message message = std::move(messages_.front());
        messages_.pop_front();
        return message;
    }
};

template <class Derived, class Message> class Actor {
    Mailbox<Message> mailbox_;
    std::jthread thread_;

    void run(std::stop_token stop)
    {
        while (auto message = mailbox_.take(stop))
            std::visit([this](auto &part) { static_cast<Derived *>(this)->handle(part); }, *message);
    }

public:
    void start()
    {
        thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
    }

    void stop()
    {
        thread_.request_stop();
        if (thread_.joinable())
            thread_.join();
    }

    void send(Message message) { mailbox_.put(std::move(message)); }

    ~Actor() { stop(); }
};

struct Deposit {
    int amount;
};
struct Transfer {
    std::string to;
    int amount;
};
struct Ask {
    std::promise<int> answer;
};
struct Check {
    std::string other;
    std::promise<int> answer;
};
using Message = std::variant<Deposit, Transfer, Ask, Check>;

class Account;
using Bank = std::unordered_map<std::string, std::unique_ptr<Account>>;

class Account : public Actor<Account, Message> {
    Bank &bank_;
    int balance_ = 0;

public:
    explicit Account(Bank &bank) : bank_(bank) {}

    void handle(Deposit &message) { balance_ += message.amount; }

    void handle(Transfer &message)
    {
        if (balance_ < message.amount)
            return;
        balance_ -= message.amount;
        bank_.at(message.to)->send(Deposit{message.amount});
    }

    void handle(Ask &message) { message.answer.set_value(balance_); }

    void handle(Check &message) /* waits for another actor: the mistake */
    {
        Ask ask;
        auto answer = ask.answer.get_future();
        bank_.at(message.other)->send(std::move(ask));
        message.answer.set_value(balance_ + answer.get());
    }
};

static int ask(Account &account)
{
    Ask message;
    auto answer = message.answer.get_future();
    account.send(std::move(message));
    return answer.get();
}

static std::future<int> check(Account &account, const std::string &other)
{
    Check message{other, {}};
    auto answer = message.answer.get_future();
    account.send(std::move(message));
    return answer;
}

int main(int argc, char **argv)
{
    Bank bank;
    for (const char *name : {"anna", "bert"})
        bank.emplace(name, std::make_unique<Account>(bank));
    for (auto &[name, account] : bank)
        account->start();
    if (argc > 1 && std::string(argv[1]) == "deadlock") {
        auto one = check(*bank.at("anna"), "bert"), two = check(*bank.at("bert"), "anna");
        assert(one.get() == 0 && two.get() == 0);
    } else {
        bank.at("anna")->send(Deposit{10});
        bank.at("anna")->send(Transfer{"bert", 4});
        assert(ask(*bank.at("anna")) == 6);
        assert(ask(*bank.at("bert")) == 4);
    }
    for (auto &[name, account] : bank)
        account->stop();
}
