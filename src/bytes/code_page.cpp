#include "bytes/code_page.hpp"

#include <thaw/bytes.hpp>

#include "bytes/utf8.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <vector>

#ifndef _WIN32
#include <iconv.h>
#endif

namespace thaw {
namespace {

/// A code page, and what the system calls it.
struct PageName {
  CodePage page;
  std::string_view word;
  unsigned number;                   ///< of Windows
  std::array<const char*, 2> names;  ///< of iconv: the first that it knows
};
constexpr std::array kPages = {
    PageName{CodePage::automatic, "auto", 0, {}},
    PageName{CodePage::utf8, "utf-8", 0, {}},
    PageName{CodePage::cp1250, "cp1250", 1250, {"CP1250", "CP1250"}},
    PageName{CodePage::cp1251, "cp1251", 1251, {"CP1251", "CP1251"}},
    PageName{CodePage::cp1252, "cp1252", 1252, {"CP1252", "CP1252"}},
    PageName{CodePage::gbk, "gbk", 936, {"CP936", "GBK"}},
    PageName{CodePage::big5, "big5", 950, {"CP950", "BIG5"}},
    PageName{CodePage::cp949, "cp949", 949, {"CP949", "EUC-KR"}},
    PageName{CodePage::shift_jis, "shift-jis", 932, {"CP932", "SHIFT_JIS"}},
};

bool has_pairs(CodePage page) { return page >= CodePage::gbk; }
std::uint8_t byte_of(char c) { return static_cast<std::uint8_t>(c); }

#ifdef _WIN32

// As <windows.h> has it, whose macros stay out of here.
extern "C" __declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned page, unsigned long flags,
                                                                   const char* from, int size, wchar_t* to,
                                                                   int room);

/// One character by the system's tables.
class Converter {
 public:
  explicit Converter(const PageName& page) : number_(page.number) {}

  /// 0 if the bytes are no character of the page.
  [[nodiscard]] std::uint32_t point(std::string_view bytes) const {
    wchar_t wide = 0;
    constexpr unsigned long kRefuseInvalid = 8;  // MB_ERR_INVALID_CHARS
    const int got =
        MultiByteToWideChar(number_, kRefuseInvalid, bytes.data(), static_cast<int>(bytes.size()), &wide, 1);
    return got == 1 ? wide : 0;
  }

 private:
  unsigned number_;
};

#else

/// One character by the C library's tables.
class Converter {
 public:
  explicit Converter(const PageName& page) {
    for (const char* name : page.names) {
      if (!is_open()) {
        handle_ = ::iconv_open("UTF-16LE", name);
      }
    }
  }
  Converter(const Converter&) = delete;
  Converter(Converter&&) = delete;
  Converter& operator=(const Converter&) = delete;
  Converter& operator=(Converter&&) = delete;
  ~Converter() {
    if (is_open()) {
      ::iconv_close(handle_);
    }
  }

  /// 0 if the bytes are no character of the page.
  [[nodiscard]] std::uint32_t point(std::string_view bytes) const {
    std::array<char, 2> in{bytes.front(), bytes.back()};
    std::array<char, 4> out{};
    char* from = in.data();
    char* to = out.data();
    std::size_t left = bytes.size();
    std::size_t room = out.size();
    if (!is_open()) {
      return 0;
    }
    ::iconv(handle_, nullptr, nullptr, nullptr, nullptr);
    const bool good = ::iconv(handle_, &from, &left, &to, &room) == 0 && left == 0 && room == 2;
    return good ? byte_of(out[0]) | std::uint32_t{byte_of(out[1])} << 8U : 0;
  }

 private:
  // NOLINTNEXTLINE(performance-no-int-to-ptr): POSIX has it so
  static iconv_t none() { return reinterpret_cast<iconv_t>(std::intptr_t{-1}); }
  [[nodiscard]] bool is_open() const { return handle_ != none(); }

  iconv_t handle_ = none();
};

#endif

constexpr std::size_t kFirstHigh = 0x80;

/// All characters of a page, which has at most two bytes for each.
class Table {
 public:
  explicit Table(const PageName& page) : points_(kFirstHigh << 8U | 0x80U) {
    const Converter converter(page);
    for (unsigned lead = kFirstHigh; lead < 0x100; ++lead) {
      std::array<char, 2> bytes{static_cast<char>(lead), 0};
      set(bytes, 1, converter.point({bytes.data(), 1}));
      for (unsigned trail = 0x40; has_pairs(page.page) && single(lead) == 0 && trail < 0xFF; ++trail) {
        bytes[1] = static_cast<char>(trail);
        set(bytes, 2, converter.point({bytes.data(), 2}));
      }
    }
  }

  /// The character that begins here, and its size; 0 for none.
  [[nodiscard]] std::uint32_t point(std::string_view text, std::size_t& size) const {
    const unsigned lead = byte_of(text.front());
    size = 1;
    if (lead < kFirstHigh || single(lead) != 0) {
      return lead < kFirstHigh ? lead : single(lead);
    }
    const std::uint32_t pair = text.size() < 2 ? 0 : points_[(lead - kFirstHigh) << 8U | byte_of(text[1])];
    size = pair == 0 ? 1 : 2;
    return pair;
  }

  /// The bytes of a character; empty for none.
  [[nodiscard]] std::string_view bytes(std::uint32_t point) const {
    const auto found = bytes_.find(point);
    return found == bytes_.end() ? std::string_view() : std::string_view(found->second);
  }

 private:
  [[nodiscard]] std::uint16_t single(unsigned lead) const {
    return points_[kFirstHigh << 8U | (lead - kFirstHigh)];
  }

  void set(const std::array<char, 2>& bytes, std::size_t size, std::uint32_t point) {
    // What the page leaves to users, and controls, are nobody's names.
    if (point < 0xA0 || (point >= 0xD800 && point < 0xF900)) {
      return;
    }
    const std::size_t high = byte_of(bytes[0]) - kFirstHigh;
    points_[size == 1 ? kFirstHigh << 8U | high : high << 8U | byte_of(bytes[1])] =
        static_cast<std::uint16_t>(point);
    bytes_.try_emplace(point, bytes.data(), size);
  }

  std::vector<std::uint16_t> points_;  ///< of pairs, then of single bytes
  std::unordered_map<std::uint32_t, std::string> bytes_;
};

template <CodePage kPage>
const Table& table() {
  static const Table kTable(kPages.at(static_cast<std::size_t>(kPage)));
  return kTable;
}

/// Made once, on the first request.
const Table& table_of(CodePage page) {
  switch (page) {
    case CodePage::cp1250:
      return table<CodePage::cp1250>();
    case CodePage::cp1251:
      return table<CodePage::cp1251>();
    case CodePage::gbk:
      return table<CodePage::gbk>();
    case CodePage::big5:
      return table<CodePage::big5>();
    case CodePage::cp949:
      return table<CodePage::cp949>();
    case CodePage::shift_jis:
      return table<CodePage::shift_jis>();
    default:
      return table<CodePage::cp1252>();
  }
}

/// The characters of a text, one by one; false at what is none.
template <class Each>
bool each_point(std::string_view text, CodePage page, Each&& each) {
  const Table& table = table_of(page);
  while (!text.empty()) {
    std::size_t size = 1;
    const std::uint32_t point = table.point(text, size);
    if (!each(point)) {
      return false;
    }
    text.remove_prefix(size);
  }
  return true;
}

/// Code points of UTF-8 that is known to be good.
template <class Each>
void each_utf8(std::string_view text, Each&& each) {
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte_of(text[i]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = size == 1 ? lead : lead & (0x7FU >> size);
    for (std::size_t k = 1; k < size; ++k) {
      point = point << 6U | (byte_of(text[i + k]) & 0x3FU);
    }
    each(point);
    i += size;
  }
}

/// Pairs of bytes of East Asian pages happen to be UTF-8 where all of them are the two bytes of a letter of
/// Europe or the Near East, as in one name of a hundred.
bool may_be_pairs(std::string_view utf8) {
  bool may = true;
  each_utf8(utf8, [&](std::uint32_t point) { may = may && point < 0x800; });
  return may;
}

// --- guessing
// ---------------------------------------------------------------------------------------------------

/// Characters that are frequent in texts, and of those in names of models, textures and sounds.
constexpr std::string_view kFrequent =
    // simplified Chinese
    "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心"
    "多天而能好都然没日"
    "于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进"
    "把法此实回二理美点月"
    "明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真"
    "听世气信北少关并内加"
    "化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死"
    "常提感金何更反合放"
    "做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱"
    "让认算论百吃义科怎"
    "元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步"
    "完革深区即求品士转"
    "量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议"
    "形委早房音火际则首"
    "单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坐集编宝谈府拉黑且随格尽剑讲布杀微怕母调"
    "局根曾准团段终乐切"
    "级克精哪官示冲竟乎男举客证苦照注费足尔招群热推晚响称兰星血龙鬼魔法师英雄技能特效模型贴图材质箭弓刀盾翼冰"
    "雷电毒爆炸召唤建筑"
    "塔树木草城墙门桥船怪物野攻击防御护甲生命魔法力量敏捷智力移动速度站立走跑死亡骑士弓箭手步兵农民恶魔精灵亡"
    "灵兽人暗夜圣光召唤"
    "水元素地狱火凤凰麒麟玄武朱雀白虎青龙剑客仙侠忍者武器道具装备任务背景音乐界面按钮图标地形装饰粒子光环旋风"
    "斩闪烁治疗复活传送"
    // traditional Chinese
    "國個來說們為這時會對過後麼沒還發當無開見經頭長從動兩樣現將與進實點東車門問間電話給業聲應體萬數書師員報馬"
    "張親務記風戰許覺"
    "題統請愛讓認論義結術樂級龍劍魔靈獸騎單位圖檔貼選擇聖護傷擊壞紅綠藍黃銀鐵鋼魚鳥鳳凰樹葉橋燈"
    // Japanese
    "日本人年大出中一会国事者社自分行的見思気時手言体村森川駅前後店円図画絵剣盾魔法炎氷雷光闇竜獣鳥魚城塔門橋"
    "船町家兵士騎"
    "将軍姫王女神鬼武器道具薬石岩草花木葉海空雲雨雪風火水土金銀鉄赤青緑黄黒白紫影歩走死攻撃防御回復敵味方英雄"
    "戦闘効果音声変更"
    // Korean
    "이다는에의가을를은고하지로나한서기도사리아있어대그인스정해자시과일라수만제들보주마전성부공거여면소장구상"
    "오원드러와우적"
    "니무위비할음세게신모조유되안것문분실간치관계경동선연지개미발방트체학생국물영레르크타파포프토카터디테티미"
    "네노루류률력역"
    "검활창방패갑옷투구장갑신발반지목걸이물약마법사전사궁수기사도적성직자용왕여왕악마천사언데드오크휴먼나이트"
    "엘프영웅유닛모델"
    "텍스처스킬효과음건물나무불얼음번개독폭발소환치유부활이동공격방어생명력마나힘민첩지능레벨맵배경화면버튼아"
    "이콘녹색빨강파랑검정흰"
    "색늑대곰새고양호랑거북뱀거미해골유령좀비골렘드래곤피닉스하늘땅바다강산숲성문벽탑다리배집";

const std::set<std::uint32_t>& frequent() {
  static const std::set<std::uint32_t> kPoints = [] {
    std::set<std::uint32_t> points;
    each_utf8(kFrequent, [&](std::uint32_t point) { points.insert(point); });
    return points;
  }();
  return kPoints;
}

bool in(std::uint32_t point, std::uint32_t first, std::uint32_t last) {
  return point >= first && point <= last;
}

constexpr int kNoCharacter = 30;

/// How odd a character is that two bytes of a page stand for, in bits.
int oddness_of_pair(std::uint32_t point, unsigned lead, CodePage page) {
  const bool korean = page == CodePage::cp949;
  const bool japanese = page == CodePage::shift_jis;
  if (in(point, 0xAC00, 0xD7A3)) {
    return frequent().contains(point) ? 8 : lead >= 0xB0 ? 13 : 20;
  }
  if (in(point, 0x4E00, 0x9FFF)) {
    const bool usual = page == CodePage::gbk    ? in(lead, 0xB0, 0xD7)
                       : page == CodePage::big5 ? in(lead, 0xA4, 0xC6)
                                                : in(lead, 0x88, 0x97);
    return (frequent().contains(point) ? 9 : usual ? 13 : 18) + (korean ? 5 : page == CodePage::big5 ? 1 : 0);
  }
  if (in(point, 0x3041, 0x30FE)) {
    return japanese ? 7 : 14;
  }
  if (in(point, 0x3000, 0x303F) || in(point, 0xFF01, 0xFF5E)) {
    return 12;
  }
  return 22;
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The same of the high byte at a place of a text in a Cyrillic or Western page: it depends on what stands
/// next to it.
int oddness_of_byte(std::string_view text, std::size_t at, CodePage page) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? byte_of(text[i]) : std::uint8_t{0}; };
  const unsigned here = byte(at);
  const unsigned before = at > 0 ? byte(at - 1) : 0;
  const bool adjacent_ascii =
      (at > 0 && is_ascii_letter(text[at - 1])) || (at + 1 < text.size() && is_ascii_letter(text[at + 1]));
  if (page == CodePage::cp1252) {
    const bool high = before >= 0xC0 || byte(at + 1) >= 0xC0;
    return here < 0xC0 || here == 0xD7 || here == 0xF7 ? 16 : high ? 12 : adjacent_ascii ? 7 : 14;
  }
  const int alien = adjacent_ascii ? 10 : 0;
  if (here >= 0xE0) {
    return 5 + alien;
  }
  if (here >= 0xC0) {
    return (before >= 0xE0 ? 14 : 6) + alien;
  }
  return (here == 0xA8 || here == 0xB8 || here == 0xB2 || here == 0xB3 ? 10 : 16) + alien;
}

long oddness(std::string_view name, CodePage page) {
  long sum = 0;
  if (!has_pairs(page)) {
    for (std::size_t i = 0; i < name.size(); ++i) {
      sum += byte_of(name[i]) < kFirstHigh ? 0 : oddness_of_byte(name, i, page);
    }
    return sum;
  }
  const Table& table = table_of(page);
  while (!name.empty()) {
    std::size_t size = 1;
    const unsigned lead = byte_of(name.front());
    const std::uint32_t point = table.point(name, size);
    sum += point == 0           ? kNoCharacter
           : point < kFirstHigh ? 0
           : size == 1          ? 14
                                : oddness_of_pair(point, lead, page);
    name.remove_prefix(size);
  }
  return sum;
}

// Aligned as the section after it: mold 1.10 else puts the two in different pages at times, and such a
// program does not start ("cannot apply additional memory protection").
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
alignas(8) thread_local CodePage current = CodePage::automatic;

}  // namespace

CodePage current_code_page() { return current; }

CodePageScope::CodePageScope(CodePage page) : before_(current) { current = page; }
CodePageScope::~CodePageScope() { current = before_; }

void load_code_pages() {
  for (const auto& page : kPages) {
    (void)table_of(page.page);
  }
}

std::optional<CodePage> parse_code_page(std::string_view word) {
  const auto found =
      std::find_if(kPages.begin(), kPages.end(), [&](const PageName& page) { return page.word == word; });
  return found == kPages.end() ? std::nullopt : std::optional(found->page);
}

std::string_view code_page_word(CodePage page) { return kPages.at(static_cast<std::size_t>(page)).word; }

std::string to_utf8(std::string_view bytes, CodePage page) {
  std::string text;
  const bool other = page == CodePage::automatic || page == CodePage::utf8;
  const bool good = !other && (!is_utf8(bytes) || (has_pairs(page) && may_be_pairs(bytes))) &&
                    each_point(bytes, page, [&](std::uint32_t point) {
                      append_utf8(text, point);
                      return point != 0;
                    });
  const CodePageScope none(CodePage::automatic);
  return good ? text : to_utf8(bytes);
}

std::optional<std::string> from_utf8(std::string_view text, CodePage page) {
  if (page == CodePage::automatic || page == CodePage::utf8 || !is_utf8(text)) {
    return std::nullopt;
  }
  std::string bytes;
  bool good = true;
  each_utf8(text, [&](std::uint32_t point) {
    const std::string_view one = point < kFirstHigh ? std::string_view() : table_of(page).bytes(point);
    good = good && (point < kFirstHigh || !one.empty());
    point < kFirstHigh ? bytes.push_back(static_cast<char>(point)) : void(bytes += one);
  });
  return good ? std::optional(std::move(bytes)) : std::nullopt;
}

CodePage guess_code_page(std::span<const std::string> names) {
  constexpr std::size_t kEnough = 1000;
  std::array<long, kGuessedPages.size()> sums{};
  std::size_t seen = 0;
  for (const auto& name : names) {
    if (seen == kEnough || is_utf8(name)) {
      continue;
    }
    ++seen;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums.at(i) += oddness(name, kGuessedPages.at(i));
    }
  }
  const auto least = std::min_element(sums.begin(), sums.end());
  return seen == 0 ? CodePage::automatic : kGuessedPages.at(static_cast<std::size_t>(least - sums.begin()));
}

}  // namespace thaw
